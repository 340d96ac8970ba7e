import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { type Answer, createWorld, hireAgent, openShop, type Json, toolPaths, type World } from '../world/index.ts';

/** As JSON Schema says it, with what is looked at here. */
interface Shape {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Shape;
  readonly items?: Shape;
  readonly minimum?: number;
  readonly maximum?: number;
}
type Path = readonly (string | 0)[];

const integers = [2_147_483_647, 2_147_483_648, Number.MAX_SAFE_INTEGER, -1];
const days = ['2199-12-31', '0001-01-01', '9999-12-31'];
const times = days.map((day) => `${day}T23:59:59Z`);
const digits = ['2147483647', '2147483648', '9007199254740991', '-1', '99999999999999999999'];

/** What a field is given beside the one that is tried: ids of things that are there, so that the call goes as far as it can. */
const known: Record<string, unknown> = {};
const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const alternatives = (of: Shape): readonly Shape[] =>
  [...(of.anyOf ?? []), ...(of.oneOf ?? [])].filter(({ type }) => type !== 'null');
const typeOf = ({ type }: Shape): string | undefined => (Array.isArray(type) ? type[0] : (type as string | undefined));

/** The least that the shape asks for, and what lies on the way to `path`. */
function sample(of: Shape, name: string, path: Path | undefined, value: unknown): unknown {
  if (path?.length === 0) return value;
  if (of.const !== undefined) return of.const;
  const options = alternatives(of);
  if (options.length > 0) {
    const [first = {}] = path === undefined ? options : options.filter((one) => leads(one, path));
    return sample(first, name, path, value);
  }
  if (of.properties !== undefined || typeOf(of) === 'object') {
    const [step, ...rest] = path ?? [];
    const named = new Set([...(of.required ?? []), ...(step === undefined ? [] : [String(step)])]);
    return Object.fromEntries(
      [...named].map((key) => [key, sample(of.properties?.[key] ?? {}, key, key === step ? rest : undefined, value)]),
    );
  }
  if (typeOf(of) === 'array') return [sample(of.items ?? {}, name, path?.slice(1), value)];
  if (of.enum !== undefined) return of.enum[0];
  const given = known[snake(name)];
  if (typeOf(of) === 'integer' || typeOf(of) === 'number') return of.minimum ?? 1;
  if (typeOf(of) === 'boolean') return false;
  if (given !== undefined) return given;
  if (of.format === 'uuid') return newId();
  if (of.format === 'date') return '2026-03-02';
  if (of.format === 'date-time') return '2026-03-02T00:00:00Z';
  return '1';
}

const leads = (of: Shape, [step, ...rest]: Path): boolean => {
  if (step === undefined) return true;
  const options = alternatives(of);
  if (options.length > 0) return options.some((one) => leads(one, [step, ...rest]));
  if (step === 0) return of.items !== undefined && leads(of.items, rest);
  return of.properties?.[step] !== undefined && leads(of.properties[step], rest);
};

/** Every field that takes a number, a day, a time or free text, wherever it stands. */
function* leaves(of: Shape, path: Path = []): Generator<{ readonly path: Path; readonly of: Shape }> {
  for (const one of alternatives(of)) yield* leaves(one, path);
  if (of.items !== undefined) yield* leaves(of.items, [...path, 0]);
  for (const [name, one] of Object.entries(of.properties ?? {})) yield* leaves(one, [...path, name]);
  if (['integer', 'number', 'string'].includes(typeOf(of) ?? '') && of.enum === undefined && of.const === undefined)
    yield { path, of };
}

const dated = /(date|day|month|from|to|before|until|as_of|on)$/;
const counted = /(version|revision|cursor|limit|year|sequence\w*|number|days|hours|count|after)$/;

/** What is tried for a field; nothing for a text whose name says that it is neither number nor day. */
function trials(of: Shape, path: Path): readonly unknown[] {
  if (typeOf(of) !== 'string') return integers;
  if (of.format === 'date') return days;
  if (of.format === 'date-time') return times;
  const name = snake(String(path.findLast((step) => step !== 0) ?? ''));
  return [...(counted.test(name) ? digits : []), ...(dated.test(name) ? [...days, ...times] : [])];
}

describe('numbers and days at the edge of what the database holds', () => {
  let world: World;
  let tenant: string;
  let token: string;
  let person: string;
  before(async () => {
    world = await createWorld();
    const user = 'edges@example.com';
    await using studio = await hireAgent(world, user, 'studio');
    await using books = await hireAgent(world, user, 'accounting');
    ({ tenant } = studio);
    token = await world.token({ user });
    person = await world.token({ user, approver: true });
    const { siteId, key, formId } = await openShop(studio, ['https://shop.example.com'], []);
    const { party } = await books.call('service_create_party', { name: 'Ada' });
    const { document } = await books.call('service_create_invoice', {
      party_id: party?.['id'],
      issue_date: '2026-03-02',
      lines: [{ description: 'Work', quantity: '1', unit_price: '10.00', account: '4000' }],
    });
    const csv = 'Date,Amount,Description\n2026-03-02,-5.00,Fee\n';
    await books.call('service_import_bank_statement', { account: '1000', format: 'csv', content: csv });
    const { lines } = await books.call('service_list_bank_lines', { account: '1000' });
    const { body: contact } = await world.call(`${world.server.addresses.commerce}/api/contacts`, {
      token,
      tenant,
      body: { name: 'Ada', email: 'ada@example.com' },
    });
    const { data } = (await graph('{ accounts { items { id } } }')).body;
    Object.assign(known, {
      site_id: siteId,
      form_id: formId,
      party_id: party?.['id'],
      document_id: document?.['id'],
      contact_id: contact['contact']?.['id'],
      account_id: list(data?.['accounts']?.['items'])[0]?.['id'],
      line_id: (lines as unknown as Json[] | undefined)?.[0]?.['id'],
      sdk_key: key,
      account: '1000',
      currency: 'USD',
      amount: '1.00',
      unit_price: '1.00',
      debit: '1.00',
      quantity: '1',
      rate: '1',
      kind: 'invoice',
      state: 'pending',
      tier: 'write',
      email: 'ada@example.com',
      content: csv,
      key: 'size',
      name: 'A name',
      type: 'text',
      denied_tools: 'service_list_sites',
    });
    assert.ok(known['form_id'] !== undefined && known['contact_id'] !== undefined && known['account_id'] !== undefined);
  });
  after(async () => world[Symbol.asyncDispose]());

  const list = (json: Json | undefined): Json[] => (json ?? []) as unknown as Json[];
  const graph = async (query: string): Promise<Answer> =>
    world.call(`${world.server.addresses.accounting}/graphql`, { token: person, tenant, body: { query } });
  const sane = (answer: Answer, what: string, faults: string[]): void => {
    const text = JSON.stringify(answer.body);
    if (answer.status >= 500 || text.includes('internal_error'))
      faults.push(`${what}: ${answer.status} ${text.slice(0, 200)}`);
  };

  test('are taken or refused by every field of every tool, and by none as a failure of ours', async () => {
    const faults: string[] = [];
    const rpc = async (at: string, method: string, params: unknown): Promise<Answer> =>
      world.call(`${world.server.addresses.mcp}/p/${at}`, {
        token,
        tenant,
        body: { jsonrpc: '2.0', id: 1, method, params },
      });
    const seen = new Set<string>();
    let tried = 0;
    for (const at of toolPaths) {
      const listed = (await rpc(at, 'tools/list', {})).body['result']?.['tools'];
      for (const tool of list(listed)) {
        const [name, shape] = [String(tool['name']), tool['inputSchema'] as Shape];
        if (seen.has(name)) continue;
        seen.add(name);
        for (const { path, of } of leaves(shape)) {
          const where = `${name} ${path.join('.')}`;
          if (typeOf(of) === 'integer' && (of.maximum ?? Infinity) > 2_147_483_647)
            faults.push(`${where} takes integers beyond what a column holds`);
          for (const value of trials(of, path)) {
            const args = sample(shape, '', path, value);
            sane(await rpc(at, 'tools/call', { name, arguments: args }), `${where} ← ${String(value)}`, faults);
            tried += 1;
          }
        }
      }
    }
    assert.ok(seen.size > 80 && tried > 500, `${seen.size} tools, ${tried} calls`);
    assert.deepEqual(faults, []);
  });

  test('are taken or refused by every route, in path, query and body', async () => {
    const { paths } = JSON.parse(
      await readFile(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8'),
    ) as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
    const { origin } = new URL(world.server.addresses.portal);
    const faults: string[] = [];
    let tried = 0;
    for (const [path, operations] of Object.entries(paths))
      for (const [method, { parameters = [], requestBody, security }] of Object.entries(operations)) {
        const asked = parameters.filter((one) => one.in !== 'header');
        const body = requestBody?.content['application/json']?.schema;
        const send = async (where: string, name: string, value: unknown, at?: Path): Promise<void> => {
          const given = (one: Parameter): string =>
            encodeURIComponent(
              String(where === one.in && one.name === name ? value : sample(one.schema, one.name, undefined, value)),
            );
          const query = asked.filter((one) => one.in === 'query' && (one.required === true || one.name === name));
          const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
            given(asked.find((one) => one.in === 'path' && one.name === key) ?? { in: 'path', name: key, schema: {} }),
          );
          const url = `${origin}${filled}?${query.map((one) => `${one.name}=${given(one)}`).join('&')}`;
          const answer = await world.call(url, {
            ...(security.length === 0 ? {} : { token: person, tenant }),
            method: method.toUpperCase(),
            headers: { 'idempotency-key': newId(), 'x-service-sdk-key': String(known['sdk_key']) },
            ...(body === undefined ? {} : { body: sample(body, '', at, value) }),
          });
          sane(answer, `${method} ${path} ${where} ${name} ← ${String(value)}`, faults);
          tried += 1;
        };
        for (const one of asked)
          for (const value of trials(one.schema, [one.name])) await send(one.in, one.name, value);
        for (const { path: at, of } of body === undefined ? [] : leaves(body)) {
          if (typeOf(of) === 'integer' && (of.maximum ?? Infinity) > 2_147_483_647)
            faults.push(`${method} ${path} ${at.join('.')} takes integers beyond what a column holds`);
          for (const value of trials(of, at)) await send('body', at.join('.'), value, at);
        }
      }
    assert.ok(tried > 300, `${tried} requests`);
    assert.deepEqual(faults, []);
  });

  test('are taken or refused by every argument of the graph', async () => {
    const type = '{ kind name ofType { kind name ofType { kind name ofType { kind name } } } }';
    const { body } = await graph(
      `{ __schema { types { name kind enumValues { name } inputFields { name type ${type} } fields { name args { name type ${type} } type ${type} } } } }`,
    );
    const types = new Map(list(body['data']?.['__schema']?.['types']).map((one) => [String(one['name']), one]));
    const shapeOf = (of: Json | undefined, depth = 0): Shape => {
      const [kind, name] = [String(of?.['kind']), String(of?.['name'])];
      if (kind === 'NON_NULL') return shapeOf(of?.['ofType'], depth);
      if (kind === 'LIST') return { type: 'array', items: shapeOf(of?.['ofType'], depth) };
      if (kind === 'ENUM') return { const: { raw: String(list(types.get(name)?.['enumValues'])[0]?.['name']) } };
      if (kind === 'INPUT_OBJECT') return objectOf(list(types.get(name)?.['inputFields']), depth + 1);
      if (name === 'ID') return { type: 'string', format: 'uuid' };
      if (name === 'DateTime') return { type: 'string', format: 'date-time' };
      return name === 'Int' ? { type: 'integer' } : name === 'Boolean' ? { type: 'boolean' } : { type: 'string' };
    };
    const objectOf = (fields: readonly Json[], depth = 0): Shape => ({
      type: 'object',
      properties: depth > 4 ? {} : Object.fromEntries(fields.map((one) => [one['name'], shapeOf(one['type'], depth)])),
      required: fields.filter((one) => String(one['type']?.['kind']) === 'NON_NULL').map((one) => String(one['name'])),
    });
    const literal = (value: unknown): string =>
      Array.isArray(value)
        ? `[${value.map(literal).join(', ')}]`
        : typeof value !== 'object' || value === null
          ? JSON.stringify(value)
          : 'raw' in value
            ? String(value.raw)
            : `{ ${inner(value)} }`;
    const inner = (value: object): string =>
      Object.entries(value)
        .map(([name, one]) => `${name}: ${literal(one)}`)
        .join(', ');
    const selection = (of: Json | undefined): string => {
      const kind = String(of?.['kind']);
      if (kind === 'NON_NULL' || kind === 'LIST') return selection(of?.['ofType']);
      return kind === 'OBJECT' ? ' { __typename }' : '';
    };
    const faults: string[] = [];
    let tried = 0;
    for (const root of ['Query', 'Mutation'])
      for (const field of list(types.get(root)?.['fields'])) {
        const shape = objectOf(list(field['args']));
        const called = String(field['name']);
        for (const { path, of } of leaves(shape)) {
          const plain: Shape =
            typeOf(of) === 'string' && of.format === undefined && isDay(path) ? { ...of, format: 'date' } : of;
          for (const value of of.format === 'uuid'
            ? []
            : [...trials(plain, path), ...(plain === of ? [] : [...times])]) {
            const args = sample(shape, '', path, value) as object;
            const query = `${root === 'Query' ? '' : 'mutation '}{ ${called}(${inner(args)})${selection(field['type'])} }`;
            sane(await graph(query), `${called} ${path.join('.')} ← ${String(value)}`, faults);
            tried += 1;
          }
        }
      }
    assert.ok(tried > 200, `${tried} operations`);
    assert.deepEqual(faults, []);
  });

  test('and nothing of it was logged as a failure of ours', () => {
    assert.doesNotMatch(world.server.output(), /"level":50/, world.server.output().slice(-2_000));
  });
});

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Shape;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Shape }>> };
  readonly security: readonly unknown[];
}

const isDay = (path: Path): boolean => dated.test(snake(String(path.findLast((step) => step !== 0) ?? '')));
