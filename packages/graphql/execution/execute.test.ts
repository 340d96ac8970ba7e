import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { execute as reference, parse, validate, type ExecutionResult } from 'graphql';
import type { GraphContext } from '../context.ts';
import { defaultLimits } from '../limits.ts';
import { createLoad } from '../loading/loading.ts';
import { createPrepare } from '../operation/prepare.ts';
import { library } from '../sample/library.ts';
import { randomOperation } from '../sample/random-operation.ts';
import { buildSchema } from '../schema/build.ts';

const schema = buildSchema([library]);
const unlimited = { ...defaultLimits, depth: 1e3, aliases: 1e3, rootFields: 1e3, tokens: 1e5 };
const prepare = createPrepare(schema, unlimited);
const given = { yes: true, few: 3, word: 'Nr' };

const contextOf = (): GraphContext => {
  const context = { request: { id: 'r', headers: {} }, load: createLoad(() => context) } as unknown as GraphContext;
  return context;
};

async function ours(query: string, variables: Readonly<Record<string, unknown>>): Promise<ExecutionResult> {
  const operation = prepare(query, undefined);
  const coerced = operation.coerce(variables);
  assert.ok('values' in coerced, query);
  const { data, errors } = await operation.execute(coerced.values, contextOf());
  return { data: data as Record<string, unknown>, ...(errors.length > 0 && { errors }) };
}

const theirs = async (query: string, variables: Readonly<Record<string, unknown>>): Promise<ExecutionResult> =>
  reference({ schema, document: parse(query), variableValues: variables, contextValue: contextOf() });

/**
 * Errors stand in no promised order. Of several below one null that went up, which are told is a matter of timing
 * (GraphQL §6.4.4), so there only whether one was told counts.
 */
function told({ data, errors = [] }: ExecutionResult): unknown {
  const inPlace = errors.filter(({ path = [] }) => holder(data, path) !== null);
  return {
    data: JSON.stringify(data),
    inPlace: inPlace.map(({ message, path, locations }) => JSON.stringify({ message, path, locations })).toSorted(),
    wentUp: errors.length > inPlace.length,
  };
}

function holder(data: unknown, path: readonly (string | number)[]): unknown {
  return path.slice(0, -1).reduce<unknown>((at, key) => {
    return typeof at === 'object' && at !== null && Object.hasOwn(at, key)
      ? (at as Record<string, unknown>)[key]
      : null;
  }, data);
}

async function same(query: string, variables: Readonly<Record<string, unknown>>): Promise<void> {
  assert.deepEqual(told(await ours(query, variables)), told(await theirs(query, variables)), query);
}

describe('a planned operation answers as graphql-js does', () => {
  const samples = {
    'a null where none may be, up to the root': '{ missing }',
    'a null in a list that may itself be null': '{ broken genre }',
    'a rejection in a nullable field': '{ books(limit: 2) { cover } }',
    'a rejection in a required field': '{ book(id: "b1") { spine } genre }',
    'an interface with fields of its types':
      '{ items { __typename title ... on Book { printed } ... on Magazine { issue late } } }',
    'fields merged from several selections':
      '{ book(id: "b1") { author { id } } ...F } fragment F on Query { book(id: "b1") { author { name } } }',
    'a response key that objects inherit': '{ __proto__: genre constructor: genre hasOwnProperty: genre }',
    'an enum by its name': '{ genre(of: FACT) }',
    'an input object with defaults':
      '{ echo(order: { book: 7, meta: { a: [1, { b: null }] }, most: "9007199254740993", genres: FACT }) }',
    'a mutation, one field after the other':
      'mutation { a: order(order: { book: "b1" }) fails b: order(order: { book: "b2" }) }',
    introspection:
      '{ __schema { types { name kind fields { name args { name defaultValue } type { kind name } } } } __type(name: "Book") { name } }',
  };
  for (const [what, query] of Object.entries(samples)) it(what, async () => same(query, {}));

  it('over a thousand runs of random operations, conditions either way', async () => {
    const queries = Array.from({ length: 2_000 }, (_, seed) => randomOperation(schema, seed, ['never', 'echo']));
    const valid = queries.filter((query) => validate(schema, parse(query)).length === 0).slice(0, 600);
    assert.ok(valid.length >= 500, String(valid.length));
    for (const query of valid) {
      await same(query, given);
      await same(query, { ...given, yes: false, no: true });
    }
  });
});
