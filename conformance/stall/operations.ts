import { readFileSync } from 'node:fs';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  getNamedType,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql';
import type { Shape } from './hostile.ts';

// Everything that can be asked for, as data: from the generated reference, which is checked to be current, and from the lists of the server.

const reference = (name: string): string =>
  readFileSync(new URL(`../../docs/reference/${name}`, import.meta.url), 'utf8');

export interface RestOperation {
  readonly method: string;
  /** With `{names}`. */
  readonly path: string;
  readonly query: Readonly<Record<string, Shape>>;
  /** Names of the query that must be given. */
  readonly asks: readonly string[];
  readonly headers: Readonly<Record<string, Shape>>;
  /** By content type; a JSON body that no schema describes is any object. */
  readonly bodies: Readonly<Record<string, Shape>>;
}

interface Described {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Shape;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Shape }>> };
}

export function restOperations(): RestOperation[] {
  const { paths } = JSON.parse(reference('openapi.json')) as { paths: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const placed = (place: string): Record<string, Shape> =>
        Object.fromEntries(parameters.filter((one) => one.in === place).map(({ name, schema }) => [name, schema]));
      const bodies = Object.entries(requestBody?.content ?? {}).map(
        ([type, { schema }]) => [type, schema ?? {}] as const,
      );
      const undescribed = bodies.length === 0 && method !== 'get';
      return {
        method: method.toUpperCase(),
        path,
        query: placed('query'),
        asks: parameters.filter((one) => one.in === 'query' && one.required === true).map(({ name }) => name),
        headers: placed('header'),
        bodies: undescribed ? { 'application/json': { type: 'object' } } : Object.fromEntries(bodies),
      };
    }),
  );
}

/** Names of all tools, whoever sees them. */
export const toolNames = (): string[] =>
  reference('tools.md')
    .split('\n')
    .filter((line) => line.startsWith('## service_'))
    .map((line) => line.slice(3));

export interface GraphOperation {
  readonly name: string;
  readonly query: string;
  /** Of the variables, one an argument. */
  readonly shape: Shape;
}

export function graphOperations(): GraphOperation[] {
  const schema = buildSchema(reference('schema.graphql'));
  return [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
    root === null || root === undefined
      ? []
      : Object.values(root.getFields()).map((field) => operation(root.name === 'Query' ? 'query' : 'mutation', field)),
  );
}

function operation(kind: string, { name, args, type }: GraphQLField<unknown, unknown>): GraphOperation {
  const declared = args.map((one) => `$${one.name}: ${String(one.type)}`).join(', ');
  const given = args.map((one) => `${one.name}: $${one.name}`).join(', ');
  const below = isLeafType(getNamedType(type)) ? '' : ' { __typename }';
  return {
    name: `${kind} ${name}`,
    query: `${kind}${declared === '' ? '' : `(${declared})`} { ${name}${given === '' ? '' : `(${given})`}${below} }`,
    shape: membersOf(args),
  };
}

const membersOf = (members: readonly { readonly name: string; readonly type: GraphQLInputType }[]): Shape => ({
  type: 'object',
  properties: Object.fromEntries(members.map((one) => [one.name, shapeOf(one.type)])),
  required: members.filter(({ type }) => isNonNullType(type)).map(({ name }) => name),
});

const scalars: Readonly<Record<string, Shape>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer', minimum: 0, maximum: 200 },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  BigInt: { type: 'string', pattern: '^\\d{1,18}$' },
  Date: { type: 'string', format: 'date' },
  DateTime: { type: 'string', format: 'date-time' },
  JSON: {},
};

/** @throws Error for a scalar that is not known here */
function shapeOf(type: GraphQLInputType): Shape {
  if (isNonNullType(type)) return shapeOf(type.ofType);
  if (isListType(type)) return { type: 'array', items: shapeOf(type.ofType) };
  if (isEnumType(type)) return { enum: type.getValues().map(({ name }) => name) };
  if (isInputObjectType(type)) return membersOf(Object.values(type.getFields()));
  const shape = scalars[type.name];
  if (shape === undefined) throw new Error(`no value is known of the scalar ${type.name}`);
  return shape;
}
