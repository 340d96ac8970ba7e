import { Problem } from '@steward/kernel';
import { sqlState, StatementFailed } from '@steward/sql';
import { HandlerFailed, HandlerLate } from './call-handler.ts';

/**
 * The database is not there, takes too long, or somebody else holds the row: nothing was done, nothing failed. Or it went away at
 * the commit: the inbox knows.
 */
export const isTransient = (error: unknown): boolean =>
  error instanceof Problem && ['unavailable', 'deadline_exceeded', 'outcome_unknown'].includes(error.code);

/** Another transaction has the tenant's inbox, or has moved it; a handler meets that with its first statement. */
export const isClaimedElsewhere = (error: unknown): boolean =>
  sqlState(error instanceof HandlerFailed ? error.cause : error) === 'BU001';

/** Whether the handler itself threw it: neither the database nor a time limit did. */
export const isHandlersFault = (cause: unknown): boolean =>
  sqlState(cause) === undefined &&
  !isTransient(cause) &&
  !(cause instanceof StatementFailed) &&
  !(cause instanceof HandlerLate);

/** Why a handler failed, as it is kept and logged: never its message, which may say what a customer said. */
export function codeOf(error: unknown): string {
  if (error instanceof Problem) return error.code;
  const state = sqlState(error);
  if (state !== undefined) return `sql_${state}`;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return (code ?? (error instanceof Error ? error.name : 'unknown')).slice(0, 100);
}

/** Where it failed: the innermost frames, without the message. */
export const placeOf = (error: unknown): string[] =>
  (error instanceof Error ? (error.stack ?? '') : '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, 4);
