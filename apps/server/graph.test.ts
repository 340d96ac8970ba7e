import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGraph } from '@steward/graphql';
import { inputOfField } from '@steward/graphql/field';
import { createLog, Problem } from '@steward/kernel';
import { z } from 'zod';
import { components, readConfig } from './components.ts';
import { make } from './made.ts';
import { openProcess } from './process.ts';

const config = readConfig({});
const log = createLog('silent');
const { parts } = make(
  openProcess(
    {
      config,
      dataDir: '.data',
      addresses: config.addresses(8080),
      internalUrl: 'http://127.0.0.1:8081',
      databaseUrl: 'postgres://unused.invalid/unused',
      leaving: () => false,
      log,
      stateKey: new Uint8Array(32),
    },
    components,
  ),
);
const { schema } = createGraph({ modules: parts.flatMap(({ part: { graph } }) => graph ?? []), graphiql: false, log });

interface Bounded {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Bounded;
  readonly properties?: Readonly<Record<string, Bounded>>;
  readonly anyOf?: readonly Bounded[];
}

/** Something of each member's type, whether or not it fits otherwise. */
function sample({ type, properties, items, minimum = 1 }: Bounded): unknown {
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties ?? {}).map(([name, one]) => [name, sample(one)]));
  if (type === 'array') return items === undefined ? [] : [sample(items)];
  return type === 'integer' ? minimum : type === 'boolean' ? true : 'x';
}

/** As much of a type of the graph as is asked here. */
interface Typed {
  readonly name?: string;
  readonly ofType?: Typed;
  getFields?(): Readonly<Record<string, { readonly type: Typed }>>;
  getValues?(): unknown;
}
const namedType = (type: Typed): Typed => (type.ofType === undefined ? type : namedType(type.ofType));

/** A value that a schema forbids and the types of the graph allow, and where it stands. */
interface Forbidden {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Those of a schema and of all that stands in it; `free` is told where nothing but the type is asked for. */
function forbidden(
  { anyOf, ...one }: Bounded,
  type: Typed,
  path: Forbidden['path'],
  free: (path: string) => void,
): Forbidden[] {
  const [only] = (anyOf ?? []).filter(({ type: name }) => name !== 'null');
  if (only !== undefined) return forbidden(only, type, path, free);
  const named = namedType(type);
  if (one.properties !== undefined && named.getFields !== undefined) {
    const fields = named.getFields();
    return Object.entries(one.properties).flatMap(([name, member]) => {
      const field = fields[name];
      assert.ok(field !== undefined, `${named.name} has no ${name}`);
      return forbidden(member, field.type, [...path, name], free);
    });
  }
  const { items, minItems = 0, maxItems, minLength = 0, maxLength, minimum, maximum, pattern, format } = one;
  const at = (value: unknown): Forbidden => ({ path, value });
  if (one.type === 'array' && items !== undefined) {
    if (maxItems === undefined) free(path.join('.'));
    return [
      ...(minItems > 0 ? [at([])] : []),
      ...(maxItems === undefined ? [] : [at(Array.from({ length: maxItems + 1 }, () => sample(items)))]),
      ...forbidden(items, type, [...path, 0], free),
    ];
  }
  // The graph's own types leave nothing to forbid.
  if (named.getValues !== undefined || one.type === 'boolean') return [];
  const values = [
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(minLength > 0 ? [''] : []),
    ...(pattern === undefined && format === undefined && one.enum === undefined
      ? []
      : [['no such thing', '!'].find((text) => pattern === undefined || !new RegExp(pattern, 'u').test(text))]),
    ...(one.type === 'integer' && minimum !== undefined && minimum > -(2 ** 31) ? [minimum - 1] : []),
    ...(one.type === 'integer' && maximum !== undefined && maximum < 2 ** 31 - 1 ? [maximum + 1] : []),
  ];
  if (values.length === 0) free(path.join('.'));
  return values.map(at);
}

function put(target: unknown, [name, ...rest]: Forbidden['path'], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(target))
    return target.map((one, index) => (index === name ? put(one, rest, value) : (one as unknown)));
  const object = target as Readonly<Record<string, unknown>>;
  return { ...object, [name]: put(object[name], rest, value) };
}

const context = {
  tenant: new Proxy({}, { get: () => assert.fail('a verb ran') }),
  load: () => assert.fail('something was read'),
};

test('every argument of every field, and every member of one, is held to its schema before a verb runs', async () => {
  const free: string[] = [];
  let tried = 0;
  for (const type of Object.values(schema.getTypeMap())) {
    if (!('isTypeOf' in type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const input = inputOfField(field);
      if (input === undefined) continue;
      const name: string = `${type.name}.${field.name}`;
      const described = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Bounded;
      assert.deepEqual(
        Object.keys(described.properties ?? {}).toSorted(),
        field.args.map((one) => one.name).toSorted(),
      );
      const fits = sample(described);
      for (const { name: argument, type: of } of field.args)
        for (const { path, value } of forbidden(described.properties?.[argument] ?? {}, of, [argument], (path) =>
          free.push(`${name} ${path}`),
        )) {
          const told = await refusal(() =>
            field.resolve?.(undefined, put(fits, path, value) as object, context, {} as never),
          );
          const pointers = told.errors?.map(({ pointer }) => pointer) ?? [];
          assert.equal(told.code, 'invalid_request', name);
          assert.ok(pointers.includes(`/${path.join('/')}`), `${name} ${path.join('.')}: ${pointers.join(' ')}`);
          assert.match(told.detail, /^The arguments are not valid: \//);
          tried += 1;
        }
    }
  }
  assert.ok(tried > 250, `${tried} were tried`);
  // The envelope of an event is judged by the verb, whose faults have codes of their own; JSON Schema has no bounds of such integers.
  assert.deepEqual(free.filter((one) => !one.startsWith('Mutation.ingestAuditEvent input.')).toSorted(), [
    'Query.auditEvents sequenceFrom',
    'Query.auditEvents sequenceTo',
  ]);
  for (const bound of ['sequenceFrom', 'sequenceTo'])
    for (const value of [-1n, 10n ** 15n]) {
      const told = await refusal(() => events?.resolve?.(undefined, { [bound]: value }, context, {} as never));
      assert.deepEqual(
        told.errors?.map(({ pointer }) => pointer),
        [`/${bound}`],
      );
    }
});

const events = schema.getQueryType()?.getFields()['auditEvents'];

async function refusal(resolve: () => unknown): Promise<Problem> {
  try {
    await resolve();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  return assert.fail('it was not refused');
}
