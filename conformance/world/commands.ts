import { readFile } from 'node:fs/promises';
import { newId } from '@steward/kernel';
import type { Answer, Json, World } from './world.ts';
import { toolPaths } from './tool-paths.ts';

/** As JSON Schema says it, with what is looked at here. */
export interface Shape {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly minimum?: number;
}

/** Something that changes something, by one door. */
export interface Command {
  /** `service_…`, `Mutation.…`, or verb and path. */
  readonly name: string;
  readonly door: 'tool' | 'graph' | 'route';
  /** Of a tool. */
  readonly pillar?: string;
  readonly shape: Shape;
  /** Whether it could not have been done, or its arguments fit nothing, is said by `code`. */
  call(token: string, args: Readonly<Record<string, unknown>>): Promise<Called>;
}

export interface Called {
  /** A tool's status; `done`, `pending_approval`; or the code of the refusal. */
  readonly code: string;
  readonly body: Json;
}

const list = (json: Json | undefined): Json[] => (json ?? []) as unknown as Json[];

/** Every command there is, as the product itself tells of them: tools, fields of the graph, routes that are no GET. */
export const everyCommand = async (world: World, tenant: string, token: string): Promise<readonly Command[]> =>
  every('command', world, tenant, token);

/** Everything that can be read, likewise. @param key of a site, for the routes of its pages */
export const everyQuery = async (
  world: World,
  tenant: string,
  token: string,
  key?: string,
): Promise<readonly Command[]> => every('query', world, tenant, token, key);

type Kind = 'command' | 'query';

const every = async (
  kind: Kind,
  world: World,
  tenant: string,
  token: string,
  key?: string,
): Promise<readonly Command[]> => [
  ...(await tools(world, tenant, token, (one) => one === kind)),
  ...(await fields(kind, world, tenant, token)),
  ...(await routes(kind, world, tenant, key)),
];

/** Every tool that changes nothing, as the product itself tells of them. */
export async function everyReadingTool(world: World, tenant: string, token: string): Promise<readonly Command[]> {
  return tools(world, tenant, token, (kind) => kind !== 'command');
}

async function tools(
  world: World,
  tenant: string,
  token: string,
  wanted: (kind: string) => boolean,
): Promise<Command[]> {
  const found = new Map<string, Command>();
  for (const path of toolPaths) {
    const rpc = async (by: string, method: string, params: unknown): Promise<Answer> =>
      world.call(`${world.server.addresses.mcp}/p/${path}`, {
        token: by,
        tenant,
        body: { jsonrpc: '2.0', id: 1, method, params },
      });
    for (const tool of list((await rpc(token, 'tools/list', {})).body['result']?.['tools'])) {
      const name = String(tool['name']);
      if (found.has(name) || !wanted(String(tool['_meta']?.['kind']))) continue;
      found.set(name, {
        name,
        door: 'tool',
        pillar: String(tool['_meta']?.['pillar']),
        shape: tool['inputSchema'] as Shape,
        call: async (by, args) => {
          const { body } = await rpc(by, 'tools/call', { name, arguments: args });
          const result = body['result']?.['structuredContent'];
          if (result === undefined) return { code: String(body['error']?.['code']), body };
          const status = String(result['status']);
          return { code: status === 'error' ? String(result['error_code']) : status, body: result };
        },
      });
    }
  }
  return [...found.values()];
}

async function fields(kind: Kind, world: World, tenant: string, token: string): Promise<Command[]> {
  const [root, word] = kind === 'command' ? ['Mutation', 'mutation'] : ['Query', 'query'];
  const send = async (by: string, query: string): Promise<Answer> =>
    world.call(`${world.server.addresses.accounting}/graphql`, { token: by, tenant, body: { query } });
  const type = '{ kind name ofType { kind name ofType { kind name ofType { kind name } } } }';
  const asked = await send(
    token,
    `{ __schema { types { name kind enumValues { name } inputFields { name type ${type} } fields { name args { name type ${type} } type ${type} } } } }`,
  );
  const types = new Map(list(asked.body['data']?.['__schema']?.['types']).map((one) => [String(one['name']), one]));
  const shapeOf = (of: Json | undefined): Shape => {
    const [kind, name] = [String(of?.['kind']), String(of?.['name'])];
    if (kind === 'NON_NULL') return shapeOf(of?.['ofType']);
    if (kind === 'LIST') return { type: 'array', items: shapeOf(of?.['ofType']) };
    if (kind === 'ENUM')
      return { enum: list(types.get(name)?.['enumValues']).map((one) => String(one['name'])), format: 'enum' };
    if (kind === 'INPUT_OBJECT') return objectOf(list(types.get(name)?.['inputFields']));
    if (name === 'ID') return { type: 'string', format: 'uuid' };
    return {
      type: name === 'Int' ? 'integer' : name === 'Boolean' ? 'boolean' : name === 'JSON' ? 'object' : 'string',
    };
  };
  const objectOf = (fields: readonly Json[]): Shape => ({
    type: 'object',
    properties: Object.fromEntries(fields.map((one) => [String(one['name']), shapeOf(one['type'])])),
    required: fields.filter((one) => String(one['type']?.['kind']) === 'NON_NULL').map((one) => String(one['name'])),
  });
  const literal = (value: unknown, of: Shape): string => {
    if (Array.isArray(value)) return `[${value.map((one) => literal(one, of.items ?? {})).join(', ')}]`;
    if (of.format === 'enum') return String(value);
    return typeof value === 'object' && value !== null ? `{ ${inner(value, of)} }` : JSON.stringify(value);
  };
  const inner = (value: object, of: Shape): string =>
    Object.entries(value)
      .map(([name, one]) => `${name}: ${literal(one, of.properties?.[name] ?? {})}`)
      .join(', ');
  const selection = (of: Json | undefined): string => {
    const kind = String(of?.['kind']);
    if (kind === 'NON_NULL' || kind === 'LIST') return selection(of?.['ofType']);
    if (kind !== 'OBJECT') return '';
    const fields = list(types.get(String(of?.['name']))?.['fields']).map((one) => String(one['name']));
    return fields.includes('id') ? ' { id }' : ' { __typename }';
  };
  return list(types.get(root)?.['fields']).map((field) => {
    const called = String(field['name']);
    const shape = objectOf(list(field['args']));
    return {
      name: `${root}.${called}`,
      door: 'graph',
      shape,
      call: async (by, args) => {
        const given = inner(args, shape);
        const query = `${word} { ${called}${given === '' ? '' : `(${given})`}${selection(field['type'])} }`;
        const { body, status } = await send(by, query);
        const [error] = list(body['errors']);
        const code = error === undefined ? (status < 400 ? 'done' : body['code']) : error['extensions']?.['code'];
        return { code: String(code), body };
      },
    };
  });
}

interface Operation {
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Shape;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Shape } | undefined>> };
}

/** Path, query and body in one shape: names do not clash. */
async function routes(kind: Kind, world: World, tenant: string, key?: string): Promise<Command[]> {
  const { paths } = JSON.parse(
    await readFile(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8'),
  ) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  const { origin } = new URL(world.server.addresses.portal);
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => (method === 'get') === (kind === 'query'))
      .map(([method, { parameters = [], requestBody }]) => {
        const inPath = parameters.filter((one) => one.in === 'path');
        const inQuery = parameters.filter((one) => one.in === 'query');
        const body = requestBody?.content['application/json']?.schema;
        const isFile = requestBody !== undefined && body === undefined;
        const beside = Object.fromEntries([...inPath, ...inQuery].map((one) => [one.name, one.schema]));
        return {
          name: `${method.toUpperCase()} ${path}`,
          door: 'route' as const,
          shape: {
            type: 'object',
            properties: { ...beside, ...body?.properties },
            required: [
              ...[...inPath, ...inQuery.filter(({ required }) => required)].map(({ name }) => name),
              ...(body?.required ?? []),
            ],
          },
          call: async (by: string, args: Readonly<Record<string, unknown>>) => {
            const text = (name: string): string => encodeURIComponent(String(args[name]));
            const query = inQuery.filter(({ name }) => args[name] !== undefined);
            const url = `${origin}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => text(name))}?${query
              .map(({ name }) => `${name}=${text(name)}`)
              .join('&')}`;
            const rest = Object.fromEntries(Object.entries(args).filter(([name]) => !Object.hasOwn(beside, name)));
            const answer = await world.call(url, {
              token: by,
              tenant,
              method: method.toUpperCase(),
              headers: {
                'idempotency-key': newId(),
                ...(key === undefined ? {} : { 'x-service-sdk-key': key }),
                ...(isFile ? { 'content-type': 'text/plain' } : {}),
              },
              ...(requestBody === undefined ? {} : { body: isFile ? 'x' : rest }),
            });
            return { code: answer.status < 400 ? 'done' : String(answer.body['code']), body: answer.body };
          },
        };
      }),
  );
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const typeOf = ({ type }: Shape): string | undefined =>
  Array.isArray(type) ? String(type[0]) : (type as string | undefined);

/** The least that a shape asks for; `known` says by a field's name, in snake case, what stands for something that is there. */
export function leastOf(of: Shape, known: Readonly<Record<string, unknown>>, name = ''): unknown {
  const given = known[snake(name)];
  if (given !== undefined && (of.enum === undefined || of.enum.includes(given))) return given;
  if (of.const !== undefined) return of.const;
  const [option] = [...(of.anyOf ?? []), ...(of.oneOf ?? [])].filter(({ type }) => type !== 'null');
  if (option !== undefined) return leastOf(option, known, name);
  if (of.enum !== undefined) return of.enum[0];
  if (of.properties !== undefined || typeOf(of) === 'object')
    return Object.fromEntries((of.required ?? []).map((key) => [key, leastOf(of.properties?.[key] ?? {}, known, key)]));
  if (typeOf(of) === 'array') return [leastOf(of.items ?? {}, known, name)];
  if (typeOf(of) === 'integer' || typeOf(of) === 'number') return of.minimum ?? 1;
  if (typeOf(of) === 'boolean') return false;
  if (of.format === 'uuid') return newId();
  if (of.format === 'date') return '2026-03-02';
  if (of.format === 'date-time') return '2026-03-02T00:00:00Z';
  return 'words';
}
