import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLObjectType,
} from 'graphql';
import { createWorld, type Json, type World } from '../world/index.ts';

type Field = GraphQLField<unknown, unknown>;

const schema = buildSchema(readFileSync(new URL('../../docs/reference/schema.graphql', import.meta.url), 'utf8'));

const isList = ({ type }: Field): boolean => isListType(getNullableType(type));
const objectOf = ({ type }: Field): GraphQLObjectType | undefined => {
  const named = getNamedType(type);
  return isObjectType(named) ? named : undefined;
};
const plain = (type: GraphQLObjectType): Field[] =>
  Object.values(type.getFields()).filter(({ args }) => !args.some(isRequiredArgument));

/** Everything of a type but lists and what is not its own beyond one step, such as the file of a line's document. */
function members(type: GraphQLObjectType, lists: number, objects: number): string {
  const parts = plain(type).flatMap((field) => {
    const inner = objectOf(field);
    if (inner === undefined) return isList(field) && lists === 0 ? [] : [field.name];
    if (isList(field)) return lists === 0 ? [] : [`${field.name} ${members(inner, lists - 1, 1)}`];
    return objects === 0 ? [] : [`${field.name} ${members(inner, 0, objects - 1)}`];
  });
  return `{ ${parts.join(' ') || '__typename'} }`;
}

const given: Readonly<Record<string, string>> = {
  asOf: '"2026-03-31"',
  from: '"2026-01-01"',
  to: '"2026-03-31"',
  account: '"1000"',
  accountId: '"1000"',
  side: 'receivable',
  year: '2026',
  correlationId: '"order-1"',
};
const nowhere = '"0190a0a0-0000-7000-8000-00000000000a"';

/** Root fields that answer a list, or an object that holds some, as the first query of somebody who reads the reference. */
const obvious = Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap(
  (field): { name: string; query: string }[] => {
    const type = objectOf(field);
    if (type === undefined) return [];
    const items = type.getFields()['items'];
    const page = items === undefined ? undefined : objectOf(items);
    const asks = field.args.filter(isRequiredArgument).map(({ name }) => `${name}: ${given[name] ?? nowhere}`);
    if (asks.some((one) => one.startsWith('input:'))) return [];
    const call = `${field.name}${asks.length === 0 ? '' : `(${asks.join(', ')})`}`;
    const selection = page === undefined ? members(type, 1, 1) : `{ items ${members(page, 1, 1)} nextCursor }`;
    return [{ name: field.name, query: `{ ${call} ${selection} }` }];
  },
);

describe('the first query that anybody writes', () => {
  let world: World;
  let tenant: string;
  let token: string;

  before(async () => {
    world = await createWorld();
    ({ tenant, token } = await world.signUp('owner@example.com'));
  });
  after(async () => world[Symbol.asyncDispose]());

  const ask = async (query: string): Promise<{ readonly extensions?: Json }[]> => {
    const { body } = await world.call(`${world.server.addresses.accounting}/graphql`, {
      token,
      tenant,
      body: { query },
    });
    return (body['errors'] ?? []) as { extensions?: Json }[];
  };

  test('is answered for each list with all that its items have and one level of lists, at the default limit', async () => {
    assert.ok(obvious.length > 20, 'they were found');
    for (const { name, query } of obvious) {
      const codes = (await ask(query)).map(({ extensions }) => String(extensions?.['code']));
      assert.deepEqual(
        codes.filter((code) => code !== 'not_found' && code !== 'not_sealed'),
        [],
        `${name}: ${query}`,
      );
    }
  });

  test('and one that could hold very much is still refused before anything is read', async () => {
    const document = schema.getType('Document') as GraphQLObjectType;
    const lists = Array.from(
      { length: 4 },
      (_, n) => `a${n}: documents(limit: 200) { items ${members(document, 1, 1)} }`,
    );
    const [{ extensions } = {}] = await ask(`{ ${lists.join(' ')} }`);
    assert.equal(extensions?.['code'], 'operation_too_large');
  });
});
