import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

const decimal = /^-?(?:0|[1-9]\d{0,18})$/;

/** A 64-bit integer as a decimal string: JSON numbers lose digits beyond 2^53. */
export const bigInt = new GraphQLScalarType<bigint, string>({
  name: 'BigInt',
  description: 'A signed 64-bit integer as a decimal string, such as "9007199254740993".',
  coerceOutputValue: (value) => {
    if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value);
    if (typeof value === 'string' && decimal.test(value)) return value;
    throw new TypeError(`BigInt cannot be made of a ${typeof value}`);
  },
  coerceInputValue: (value) => read(typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value),
  coerceInputLiteral: (node) => read(node.kind === Kind.STRING || node.kind === Kind.INT ? node.value : undefined),
});

function read(text: unknown): bigint {
  const value = typeof text === 'string' && decimal.test(text) ? BigInt(text) : undefined;
  if (value === undefined || BigInt.asIntN(64, value) !== value) {
    throw new GraphQLError('A BigInt is a decimal string within 64 bits.');
  }
  return value;
}
