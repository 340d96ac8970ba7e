import { fail, Problem } from '@steward/kernel';
import { type Row, type Statement, sqlState } from '@steward/sql';
import { appendStatement, type AppendRow, type Mode } from '../appending/statement.ts';
import { inChainOrder, unsure, type Waiting } from './waiting.ts';

export type Send = <R extends Row>(statement: Statement) => Promise<R[]>;

export interface FlushOptions {
  readonly onFlush: ((events: number, seconds: number) => void) | undefined;
  /** Milliseconds after which a server that says nothing is held for lost. */
  readonly silence: number;
}

/** Undone by the database, which asks for another try: deadlock, serialization, lock and statement timeout. */
const undone = new Set(['40001', '40P01', '55P03', '57014']);

/** One round trip, one commit, and a row each, in order. */
export async function flush(
  send: Send,
  mode: Mode,
  batch: readonly Waiting[],
  { silence, onFlush }: FlushOptions,
): Promise<(AppendRow | undefined)[]> {
  const ordered = inChainOrder(batch);
  const start = performance.now();
  try {
    const entries = ordered.map(({ entry }) => entry);
    const retry = ordered.some(({ unsure }) => unsure);
    const rows = await withinSilence(silence, send<AppendRow>(appendStatement(mode, entries, retry)));
    onFlush?.(batch.length, (performance.now() - start) / 1000);
    const rowOf = new Map(ordered.map((waiting, index) => [waiting, rows[index]]));
    return batch.map((waiting) => rowOf.get(waiting));
  } catch (error) {
    if (isUnanswered(error) || !undone.has(sqlState(error) ?? '')) throw error;
    throw fail('unavailable', overloaded, { headers: retryAfter, cause: error });
  }
}

const isUnanswered = (error: unknown): error is Problem =>
  error instanceof Problem && ['unavailable', 'deadline_exceeded', 'outcome_unknown'].includes(error.code);

/** Of a batch that failed: of these nothing is known, or everything was undone; otherwise the database refuses some event itself. */
export function onFailureOf(error: unknown, batch: readonly Waiting[]): 'retry' | 'split' {
  if (!isUnanswered(error)) return 'split';
  for (const waiting of batch) waiting.unsure ||= error.code === 'outcome_unknown';
  return 'retry';
}

export const overloaded = 'The audit log takes no more events at the moment; try again shortly with the same key.';
export const retryAfter = { 'retry-after': '2' };

/** A server that has gone silent must not hold callers: the connection is left to its own fate. */
async function withinSilence<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(fail('outcome_unknown', unsure)), milliseconds);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
