import { readFile } from 'node:fs/promises';
import { newId } from '@steward/kernel';
import type { Answer, Json, World } from './world.ts';

interface Operation {
  readonly tags: readonly string[];
  readonly security: readonly unknown[];
  readonly 'x-tool'?: string;
  readonly parameters: readonly Parameter[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: {
    readonly enum?: readonly string[];
    readonly type?: string;
    readonly minimum?: number;
    readonly pattern?: string;
  };
}

/** A way to do something that is no tool call: a route, or a field of the graph. */
export interface Way {
  readonly name: string;
  readonly changes: boolean;
  /** The tool that does the same; of fields it is not published. */
  readonly tool?: string | undefined;
  go(token: string): Promise<Answer>;
}

/** What anybody with a token may do, of no tenant or before one is known. */
const ofNoTenant = new Set([
  'GET /portal/api/organizations',
  'POST /portal/api/external-agent/signup',
  'POST /portal/api/invitations/accept',
]);

/** Every route of the reference that takes a token in a tenant, and every field of the graph's roots. */
export async function waysIn(world: World, token: string, tenant: string): Promise<Way[]> {
  return [...(await routes(world, tenant)), ...(await fields(world, token, tenant))];
}

/** Routes by the reference, asked with an empty body and ids of nothing: who is refused is so before that is looked at. */
async function routes(world: World, tenant: string): Promise<Way[]> {
  const reference = await readFile(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8');
  const { paths } = JSON.parse(reference) as { paths: Record<string, Record<string, Operation>> };
  const { origin } = new URL(world.server.addresses.portal);
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security }]) => security.length > 0)
      .map(([method, operation]) => {
        const verb = method.toUpperCase();
        const url = `${origin}${path.replaceAll(/\{\w+\}/g, newId())}?${query(operation.parameters)}`;
        const tool = operation['x-tool'];
        return {
          name: `${verb} ${path}`,
          changes: verb !== 'GET' && !/^service_(?:search|get|list|quote)_/.test(tool ?? ''),
          tool,
          go: async (token: string) =>
            world.call(url, { token, tenant, method: verb, ...(verb === 'GET' ? {} : { body: {} }) }),
        };
      })
      .filter(({ name }) => !ofNoTenant.has(name)),
  );
}

/** Fields of the graph's roots as it tells of them itself, with arguments that fit their types. */
async function fields(world: World, asker: string, tenant: string): Promise<Way[]> {
  const post = async (token: string, query: string): Promise<Answer> =>
    world.call(`${world.server.addresses.accounting}/graphql`, { token, tenant, body: { query } });
  const type = '{ kind name ofType { kind name ofType { kind name ofType { kind name } } } }';
  const asked = await post(
    asker,
    `{ __schema { types { name kind enumValues { name } inputFields { name type ${type} } fields { name args { name type ${type} } type ${type} } } } }`,
  );
  const types = new Map(list(asked.body['data']?.['__schema']?.['types']).map((one) => [String(one['name']), one]));
  const required = (given: Json | undefined): string =>
    list(given)
      .filter((one) => String(one['type']?.['kind']) === 'NON_NULL')
      .map((one) => `${String(one['name'])}: ${literal(one['type'])}`)
      .join(', ');
  const literal = (of: Json | undefined): string => {
    const [kind, name] = [String(of?.['kind']), String(of?.['name'])];
    if (kind === 'NON_NULL') return literal(of?.['ofType']);
    if (kind === 'LIST') return `[${literal(of?.['ofType'])}]`;
    if (kind === 'ENUM') return String(list(types.get(name)?.['enumValues'])[0]?.['name']);
    if (kind === 'INPUT_OBJECT') return `{ ${required(types.get(name)?.['inputFields'])} }`;
    return literals[name] ?? '"x"';
  };
  const selection = (of: Json | undefined): string => {
    const kind = String(of?.['kind']);
    if (kind === 'NON_NULL' || kind === 'LIST') return selection(of?.['ofType']);
    return kind === 'OBJECT' ? ' { __typename }' : '';
  };
  return (['Query', 'Mutation'] as const).flatMap((root) =>
    list(types.get(root)?.['fields']).map((field) => {
      const given = required(field['args']);
      const call = `${String(field['name'])}${given === '' ? '' : `(${given})`}${selection(field['type'])}`;
      const query = root === 'Mutation' ? `mutation { ${call} }` : `{ ${call} }`;
      return {
        name: `${root}.${String(field['name'])}`,
        changes: root === 'Mutation',
        go: async (token: string) => post(token, query),
      };
    }),
  );
}

const literals: Readonly<Record<string, string>> = {
  ID: `"${newId()}"`,
  Int: '1',
  Float: '1.5',
  Boolean: 'true',
  DateTime: '"2026-01-01T00:00:00.000Z"',
  JSON: '{}',
  BigInt: '"1"',
};

/** What a route must be given in its query, of its kind. */
/** Where a day would be refused. */
const values: Readonly<Record<string, string>> = { currency: 'EUR', country: 'DE' };

const query = (parameters: readonly Parameter[]): string =>
  new URLSearchParams(
    parameters
      .filter((one) => one.in === 'query' && one.required)
      .map(({ name, schema }) => [
        name,
        schema.enum?.[0] ??
          values[name] ??
          (schema.type === 'integer' ? String(schema.minimum) : name.endsWith('Id') ? newId() : '2026-01-31'),
      ]),
  ).toString();

const list = (json: Json | undefined): Json[] => (json ?? []) as unknown as Json[];
