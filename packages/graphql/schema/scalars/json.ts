import { parseJson, Problem } from '@steward/kernel';
import { GraphQLError, GraphQLScalarType, Kind, type ConstValueNode } from 'graphql';

/** A JSON object. A literal is read as strictly as a request body. */
export const json = new GraphQLScalarType<Record<string, unknown>, object>({
  name: 'JSON',
  description: 'Give a JSON object.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  coerceOutputValue: (value) => {
    if (isObject(value)) return value;
    throw new TypeError(`JSON cannot be made of a ${typeof value}`);
  },
  coerceInputValue: object,
  coerceInputLiteral: (node) => {
    try {
      return object(parseJson(textOf(node)));
    } catch (error) {
      throw error instanceof Problem ? new GraphQLError(error.detail) : error;
    }
  },
});

function object(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw new GraphQLError('Here stands a JSON object.');
  return value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** GraphQL's literals are JSON but for unquoted keys and enum names. */
function textOf(node: ConstValueNode): string {
  switch (node.kind) {
    case Kind.OBJECT:
      return `{${node.fields.map(({ name, value }) => `${JSON.stringify(name.value)}:${textOf(value)}`).join(',')}}`;
    case Kind.LIST:
      return `[${node.values.map(textOf).join(',')}]`;
    case Kind.STRING:
      return JSON.stringify(node.value);
    case Kind.NULL:
      return 'null';
    case Kind.BOOLEAN:
      return String(node.value);
    case Kind.INT:
    case Kind.FLOAT:
      return node.value;
    case Kind.ENUM:
      throw new GraphQLError(`The bare word ${node.value} is not JSON; quote it.`);
  }
}
