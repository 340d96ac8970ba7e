import { setTimeout as sleep } from 'node:timers/promises';
import { fail, Problem } from '@steward/kernel';

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
/**
 * 57P01–57P03: shutting down or starting; 53300: too many connections; 08…: connection lost; 25006: it follows another
 * server; 25P03: a transaction was ended that nothing was heard of.
 */
const server = /^(?:57P0[1235]|53300|25006|25P03|08\w{3})$/;

/**
 * Synchronous replication: somebody made the server stop waiting for the standby that confirms a commit. The commit is on this
 * server, and is lost if another server takes over.
 */
export class Unconfirmed extends Error {
  override readonly name = 'Unconfirmed';
  override readonly message = 'the server gave up waiting for a standby to confirm the commit';
}

/** 40001 and 40P01, serialization failure and deadlock: the database undid everything and asks for another try. */
const undone = new Set(['40001', '40P01']);

/** Whether the database undid everything for others' sake, and the connection is as good as before; also as `translate` says it. */
export const isUndone = (error: unknown): boolean =>
  undone.has(sqlState(error instanceof Problem ? error.cause : error) ?? '');

/**
 * A lost or refused connection, a lock that others hold, and what was undone for others' sake, as `unavailable`, a statement beyond its time as
 * `deadline_exceeded`; anything else as it is.
 */
export function translate(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  const code = codeOf(error);
  if (code === '57014') return tookTooLong(error);
  if (code === '55P03' || undone.has(code)) return held(error);
  return isLost(error) || error instanceof Unconfirmed ? unavailable(error) : error;
}

/** Whether a connection was lost or refused: the statement itself may be right. */
export function isLost(error: Error): boolean {
  const code = codeOf(error);
  const said = /timeout expired|read timeout|Connection terminated|not queryable|Cannot use a pool/i;
  return network.has(code) || server.test(code) || said.test(error.message);
}

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** No connection, for whatever reason the server gives: the caller may try again. */
export const unavailable = (cause: unknown): Error =>
  fail('unavailable', 'The database cannot be reached at the moment; try again shortly.', {
    headers: { 'retry-after': '2' },
    cause,
  });

/** The server ended the statement and its transaction, so nothing of it stays; as it is, it would take as long again. */
const tookTooLong = (cause: unknown): Error =>
  fail(
    'deadline_exceeded',
    'This took longer than a request may, and nothing was done. Ask for less at once, such as a shorter period or a file of fewer lines, or try again when there is less to do.',
    { cause },
  );

/** Somebody else keeps what the statement waited for. */
const held = (cause: unknown): Error =>
  fail('unavailable', 'Another request holds what this one needs, and nothing was done; try again shortly.', {
    headers: { 'retry-after': '2' },
    cause,
  });

/** The database is there, and all turns at it are taken. */
export const busy = (cause: unknown): Error =>
  fail(
    'unavailable',
    'The database is busy with other requests, of yours among them where you sent many; try again shortly.',
    {
      headers: { 'retry-after': '2' },
      cause,
    },
  );

/** With these the server refused, or had ended the transaction before the commit arrived. */
const refused = /^(?:40001|40P01|55P03|57014|57P05|25006|25P03)$/;

/**
 * What a commit, or a batch of statements that the server commits, failed with: `outcome_unknown` where it was sent and no answer came, or
 * one that no standby confirmed, for then it may be done. Anything else as it is, such as `unavailable` of a connection that was known to be cut before.
 */
export function ofCommit(error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== 'unavailable') return error;
  const { cause } = error;
  if (refused.test(sqlState(cause) ?? '') || (cause instanceof Error && /not queryable/i.test(cause.message)))
    return error;
  return fail(
    'outcome_unknown',
    cause instanceof Unconfirmed
      ? 'No standby confirmed this, so it is done unless the server is lost before one does. Look before you send it again.'
      : 'The connection ended while this was being committed, so it may have been done. Look before you send it again.',
    { cause },
  );
}

/** Errors of a lent connection that turned out to be cut; not of a connection that could not be opened. */
const cuts = new WeakSet<Error>();
const cut = /^(?:57P0[12]|25006|25P03|08\w{3}|ECONNRESET|EPIPE)$/;

const isTimeout = (error: Error): boolean => /read timeout/i.test(error.message);

/** Whether other connections can be no better: the server was demoted, or nothing comes from where it was. */
export const tellsOfOthers = (error: unknown): boolean =>
  error instanceof Error && (sqlState(error) === '25006' || isTimeout(error));

/** Whether the connection is of no use any more, whatever it is asked. */
export const isCut = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return cut.test(code) || /Connection terminated|not queryable/i.test(error.message) || isTimeout(error);
};

/** Remembers that `translated` comes from a lent connection that was cut, if `error` says so. */
export function noteCut(error: unknown, translated: unknown): void {
  // Who waited for an answer in vain need not wait again.
  if (translated instanceof Error && isCut(error) && !isTimeout(error as Error)) cuts.add(translated);
}

/** Whether another try is due of what was undone for others' sake, once it is: those who met would meet again, were each to come back at once. */
export async function undoneAndRested(error: unknown, attempt: number): Promise<boolean> {
  if (attempt >= tries || !isUndone(error)) return false;
  await sleep(Math.random() * 50 * attempt);
  return true;
}

/** How often work is tried that is undone, or on connections that turn out to be cut. */
const tries = 4;

/** Whether another try is due, once it is: the pool drops what was cut along with this one meanwhile. */
export async function cutAndRested(error: unknown, attempt: number): Promise<boolean> {
  if (attempt >= tries || !(error instanceof Error && cuts.has(error))) return false;
  await sleep(20 * attempt);
  return true;
}

/**
 * For work that may run twice, such as reading: continues on another connection when the lent one turns out to
 * be cut, as after a failover.
 * @throws Problem `unavailable` (503) once no connection can be opened, or several in a row were cut
 */
export async function despiteCuts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(await cutAndRested(error, attempt))) throw error;
    }
  }
}

/** SQLSTATE of a PostgreSQL error, or undefined. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : undefined;
