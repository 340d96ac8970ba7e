import { validator } from '@steward/contract';
import { z } from 'zod';
import { spell } from '../envelope/faults.ts';
import { normalizeTime } from '../envelope/occurred-at.ts';
import { typeForm } from '../envelope/read.ts';

/** All that are given must hold. Times are UTC, `…sssZ`; `…From` and the two sequences are included, `…Before` is not. */
export interface Filter {
  /** A type, or a pattern over its dotted parts: `*` is one part, `**` one or more. */
  readonly type?: string | undefined;
  readonly grammar?: string | undefined;
  /** `{type}:{id}`, anywhere in the chain. */
  readonly principal?: string | undefined;
  readonly causalId?: string | undefined;
  readonly correlationId?: string | undefined;
  /** What the event is about: a whole value in its payload, at any depth, or of one of its dimensional tags. */
  readonly resource?: string | undefined;
  readonly receivedFrom?: string | undefined;
  readonly receivedBefore?: string | undefined;
  readonly occurredFrom?: string | undefined;
  readonly occurredBefore?: string | undefined;
  readonly sequenceFrom?: bigint | undefined;
  readonly sequenceTo?: bigint | undefined;
}

export interface Page {
  /** 1–501. */
  readonly limit: number;
  /** Only events below this sequence. */
  readonly below?: bigint | undefined;
}

export const identifier = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'NUL and lone surrogates are in no identifier');

const pattern = /^(?:[a-z0-9_]+|\*\*?)(?:\.(?:[a-z0-9_]+|\*\*?)){0,5}$/;

const time = z
  .string()
  .max(64)
  .transform((text, check) => {
    const normal = normalizeTime(text);
    if (normal === undefined)
      check.addIssue('Give a time of RFC 3339, such as 2026-03-01T10:00:00Z; in an address, write + as %2B');
    return normal ?? z.NEVER;
  });

const sequence = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,14})$/, 'Give an integer from 0 to 999999999999999')
  .transform(BigInt);

/** How each filter is read from its text. */
export const filters = {
  type: identifier.refine(
    (type) => (type.includes('*') ? pattern : typeForm).test(type),
    'Give a type such as commerce.order.imported; in a pattern, * stands for one dotted part and ** for one or more',
  ),
  grammar: identifier,
  principal: z
    .string()
    .regex(/^(?:user|agent|service|system):[^\p{Cc}\p{Cs}]{1,300}$/u, 'Give type and id, such as user:alice'),
  causalId: identifier,
  correlationId: identifier,
  // A first character of this kind is what makes the search exact: see `mentions`.
  resource: z
    .string()
    .max(300)
    .regex(/^[\p{L}\p{N}_][^\p{Cc}\p{Cs}]*$/u, 'Give an identifier that begins with a letter, a digit or _'),
  receivedFrom: time,
  receivedBefore: time,
  occurredFrom: time,
  occurredBefore: time,
  sequenceFrom: sequence,
  sequenceTo: sequence,
} as const satisfies Record<keyof Filter, z.ZodType>;

type FieldName = keyof typeof filters;

/** The filters as parameters of REST, in snake_case. */
export const filterQuery: Readonly<Record<string, z.ZodType<unknown>>> = Object.fromEntries(
  Object.entries(filters).map(([name, field]) => [spell(name, 'snake'), field.optional()]),
);

/** What `filterQuery` has checked, as a filter. */
export const filterOf = (query: Readonly<Record<string, unknown>>): Filter =>
  Object.fromEntries(Object.keys(filters).map((name) => [name, query[spell(name, 'snake')]]));

const check = validator(z.object(filters).partial(), 'query');

/**
 * Filters as the command line hands them over.
 * @throws Problem `invalid_request` (400) with a pointer to each fault
 */
export const readFilter = (given: Readonly<Partial<Record<FieldName, string | undefined>>>): Filter => check(given);
