import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { utc } from './utc.ts';

const stored = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const rfc3339 = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** RFC 3339 in, with any offset; UTC with milliseconds and `Z` out. Further digits of a second are cut. */
export const dateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'A time of RFC 3339 in UTC with milliseconds: 2026-11-20T08:30:00.000Z. Input may have any offset.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  coerceOutputValue: (value) => {
    if (typeof value === 'string') return stored.test(value) ? value : normalise(value);
    if (typeof value === 'number' || value instanceof Date) return utc(Number(value));
    throw new TypeError(`DateTime cannot be made of a ${typeof value}`);
  },
  coerceInputValue: (value) => {
    if (typeof value !== 'string') throw new GraphQLError('A DateTime is an RFC 3339 string.');
    return normalise(value);
  },
  coerceInputLiteral: (node) => {
    if (node.kind !== Kind.STRING) throw new GraphQLError('A DateTime is an RFC 3339 string.');
    return normalise(node.value);
  },
});

function normalise(given: string): string {
  const [, day = '', time = '', fraction = '', sign, hours, minutes] = rfc3339.exec(given) ?? [];
  const local = `${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
  const moment = new Date(local);
  // The date parser takes 30 February for 1 March and 24:00 for the next day; neither is a time in RFC 3339.
  if (Number.isNaN(moment.getTime()) || moment.toISOString() !== local) {
    throw new GraphQLError('A DateTime is an RFC 3339 moment with an offset, such as 2026-11-20T08:30:00.000Z.');
  }
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  const utc = new Date(moment.getTime() - offset).toISOString();
  if (!stored.test(utc)) throw new GraphQLError('A DateTime lies in the years 0000 to 9999, UTC.');
  return utc;
}
