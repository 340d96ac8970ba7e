import { fail } from '@steward/kernel';

const network = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** 57P01–57P03: shutting down or starting; 53300: too many connections; 08…: connection lost; 55P03, 57014: waited too long. */
const server = /^(?:57P0[1235]|53300|55P03|57014|08\w{3})$/;

/** A lost or refused connection as `unavailable`; anything else as it is. */
export function translate(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const lost = /timeout exceeded when trying to connect|Connection terminated|not queryable|Cannot use a pool/i.test(
    error.message,
  );
  if (!network.has(code) && !server.test(code) && !lost) return error;
  return unavailable(error);
}

/** A connection that cannot be had, for whatever reason the server gives: the caller may try again. */
export const unavailable = (cause: unknown): Error =>
  fail('unavailable', 'The database cannot be reached at the moment; try again shortly.', {
    headers: { 'retry-after': '2' },
    cause,
  });

/** SQLSTATE of a PostgreSQL error, or undefined. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : undefined;
