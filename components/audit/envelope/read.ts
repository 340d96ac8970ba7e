import { fail } from '../errors.ts';
import type { Claim } from './envelope.ts';
import { Faults, type Spelling, spell, step } from './faults.ts';
import { normalizeTime } from './occurred-at.ts';
import { readPrincipals } from './principals.ts';
import { readTags } from './tags.ts';
import { isObject, readText } from './text.ts';

export const typeForm = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){1,5}$/;
/** semver.org's own expression. */
const semver =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;

const required = ['type', 'eventVersion', 'grammar', 'source', 'payload', 'principalChain', 'occurredAt'] as const;
const identifiers = {
  causalId: { least: 1, most: 200 },
  correlationId: { least: 1, most: 200 },
  sourceSystem: { least: 1, most: 200 },
  sourceEventId: { least: 1, most: 200 },
  idempotencyKey: { least: 8, most: 200 },
} as const;

type Names = Readonly<Record<string, string>>;
const fields = [...required, 'dimensionalTags', ...Object.keys(identifiers)];
const names: Readonly<Record<Spelling, Names>> = {
  snake: Object.fromEntries(fields.map((field) => [field, spell(field, 'snake')])),
  camel: Object.fromEntries(fields.map((field) => [field, field])),
};
const known: Readonly<Record<Spelling, ReadonlySet<string>>> = {
  snake: new Set(Object.values(names.snake)),
  camel: new Set(Object.values(names.camel)),
};

export interface ReadOptions {
  readonly spelling: Spelling;
  /** Whether the caller is a platform service, which alone may name a `system` principal. */
  readonly mayBeSystem: boolean;
  /** Types that are refused by name elsewhere: their form is not complained about here. */
  readonly isReserved: (type: string) => boolean;
}

/**
 * Reads an event as a caller sent it. Optional fields may be null.
 * @throws Problem `invalid_envelope` (400) with a pointer for each fault
 */
export function readClaim(input: unknown, options: ReadOptions): Claim {
  const { spelling } = options;
  const faults = new Faults();
  if (!isObject(input)) throw invalid('The event must be an object.', faults);
  const name = names[spelling];
  for (const key of Object.keys(input)) {
    if (!known[spelling].has(key)) faults.add(step(key), 'unknown_field', 'There is no such field.');
  }
  const at = (field: string): unknown => input[name[field] ?? field];
  const text = (field: string, least: number, most: number): string | undefined =>
    at(field) === undefined || at(field) === null
      ? undefined
      : readText(at(field), `/${name[field]}`, faults, { least, most });
  for (const field of required) {
    if (at(field) === undefined || at(field) === null)
      faults.add(`/${name[field]}`, 'required', 'This field is required.');
  }

  const type = text('type', 1, 200);
  if (type !== undefined && !typeForm.test(type) && !options.isReserved(type))
    faults.add('/type', 'invalid_value', 'Give a dotted name in lower case, such as domain.entity.action.');
  const eventVersion = text('eventVersion', 1, 64);
  if (eventVersion !== undefined && !semver.test(eventVersion))
    faults.add(`/${name['eventVersion']}`, 'invalid_value', 'Give a semantic version, such as 1.0.0.');
  const grammar = text('grammar', 1, 64);
  const source = text('source', 1, 200);
  const payload = at('payload');
  if (payload !== undefined && payload !== null && !isObject(payload))
    faults.add('/payload', 'invalid_type', 'Give an object.');
  const occurred = text('occurredAt', 1, 80);
  const occurredAt = occurred === undefined ? undefined : normalizeTime(occurred);
  if (occurred !== undefined && occurredAt === undefined)
    faults.add(
      `/${name['occurredAt']}`,
      'invalid_value',
      'Give an RFC 3339 time with an offset, without a leap second or 24:00.',
    );
  const chain = at('principalChain');
  const principalChain =
    chain === undefined || chain === null ? [] : readPrincipals(chain, spelling, options.mayBeSystem, faults);
  const tags = at('dimensionalTags');
  const dimensionalTags =
    tags === undefined || tags === null ? undefined : readTags(tags, `/${name['dimensionalTags']}`, faults);
  const optional = Object.fromEntries(
    Object.entries(identifiers).map(([field, { least, most }]) => [field, text(field, least, most)]),
  );
  if (
    faults.list.length > 0 ||
    type === undefined ||
    eventVersion === undefined ||
    grammar === undefined ||
    source === undefined ||
    occurredAt === undefined
  )
    throw invalid(undefined, faults);
  return {
    type,
    eventVersion,
    grammar,
    source,
    payload: payload as Claim['payload'],
    principalChain,
    occurredAt,
    dimensionalTags,
    ...optional,
  };
}

function invalid(detail: string | undefined, { list }: Faults): Error {
  const first = list[0];
  return fail('invalid_envelope', detail ?? `The audit event is not valid: ${first?.pointer}: ${first?.detail}`, {
    errors: list,
  });
}
