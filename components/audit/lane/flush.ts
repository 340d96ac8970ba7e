import { fail, Problem } from '@steward/kernel';
import { type Row, type Statement, sqlState } from '@steward/sql';
import { appendStatement, type AppendRow, type Mode } from '../appending/statement.ts';
import { type FlushOptions, inChainOrder, unsure, type Waiting } from './queue.ts';

export type Send = <R extends Row>(statement: Statement) => Promise<R[]>;

/** Undone by the database, which asks for another try: deadlock, serialization, lock and statement timeout. */
const undone = new Set(['40001', '40P01', '55P03', '57014']);

export interface Flushed {
  /** Their heads were locked; nothing happened. */
  readonly busy: readonly Waiting[];
  /** Nothing is known, or everything was undone: to be tried again. */
  readonly again: readonly Waiting[];
  /** The failure behind `again`. */
  readonly failure?: unknown;
}

/** One round trip, one commit, and an answer to every caller whose event is settled. Never rejects. */
export async function flush(
  send: Send,
  mode: Mode,
  batch: readonly Waiting[],
  options: FlushOptions,
): Promise<Flushed> {
  const ordered = inChainOrder(batch);
  const start = performance.now();
  let rows: AppendRow[];
  try {
    const entries = ordered.map(({ entry }) => entry);
    const retry = ordered.some(({ unsure }) => unsure);
    rows = await withinSilence(options.silence, send<AppendRow>(appendStatement(mode, entries, retry)));
  } catch (error) {
    return failed(send, mode, ordered, error, options);
  }
  options.onFlush?.(batch.length, (performance.now() - start) / 1000);
  const busy: Waiting[] = [];
  ordered.forEach((waiting, index) => {
    const row = rows[index];
    if (row === undefined) waiting.reject(new Error('the chain answered fewer rows than it was given'));
    else if (row.outcome === 'busy') busy.push(waiting);
    else waiting.resolve(row);
  });
  return { busy, again: [] };
}

async function failed(
  send: Send,
  mode: Mode,
  batch: readonly Waiting[],
  error: unknown,
  options: FlushOptions,
): Promise<Flushed> {
  if (error instanceof Problem && ['unavailable', 'deadline_exceeded', 'outcome_unknown'].includes(error.code)) {
    for (const waiting of batch) waiting.unsure ||= error.code === 'outcome_unknown';
    return { busy: [], again: batch, failure: error };
  }
  if (undone.has(sqlState(error) ?? '')) {
    return { busy: [], again: batch, failure: fail('unavailable', overloaded, { headers: retryAfter, cause: error }) };
  }
  // Some event is refused by the database itself: it fails its own caller only.
  if (batch.length === 1) {
    batch[0]?.reject(error);
    return { busy: [], again: [] };
  }
  const middle = batch.length >> 1;
  const left = await flush(send, mode, batch.slice(0, middle), options);
  const right = await flush(send, mode, batch.slice(middle), options);
  return {
    busy: [...left.busy, ...right.busy],
    again: [...left.again, ...right.again],
    failure: left.failure ?? right.failure,
  };
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
