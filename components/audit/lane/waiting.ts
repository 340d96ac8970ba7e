import { fail } from '@steward/kernel';
import type { AppendRow } from '../appending/statement.ts';
import type { Entry } from '../appending/entry.ts';

/** An event on its way, with the caller who waits for it. */
export interface Waiting {
  readonly entry: Entry;
  /** Milliseconds of a monotonic clock after which the caller is answered whatever happens. */
  deadline: number;
  /** How often its head was found locked. */
  busy: number;
  /** Whether an earlier attempt may have been committed without our hearing of it. */
  unsure: boolean;
  readonly resolve: (row: AppendRow) => void;
  readonly reject: (error: unknown) => void;
}

export interface FlushOptions {
  readonly onFlush: ((events: number, seconds: number) => void) | undefined;
  /** Milliseconds after which a server that says nothing is held for lost. */
  readonly silence: number;
}

export const maxBatch = 256;
const maxBatchCharacters = 4 * 1_048_576;

/** Takes from the front what fits into one batch, `most` events at most. */
export function takeBatch(queue: Waiting[], most: number): Waiting[] {
  let characters = 0;
  let count = 0;
  for (const { entry } of queue) {
    if (count === Math.min(most, maxBatch) || (count > 0 && characters + entry.text.length > maxBatchCharacters)) break;
    characters += entry.text.length;
    count += 1;
  }
  return queue.splice(0, count);
}

/**
 * The order the database wants: by tenant, so that no two batches lock heads crosswise, and events of one key together,
 * else as they came.
 */
export function inChainOrder(batch: readonly Waiting[]): Waiting[] {
  const first = new Map<string, number>();
  return batch
    .map((waiting, index) => {
      const { tenantId, idempotencyKey } = waiting.entry.envelope;
      const place = idempotencyKey === undefined ? index : first.getOrInsert(`${tenantId}${idempotencyKey}`, index);
      return { waiting, tenantId, place };
    })
    .toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : a.tenantId > b.tenantId ? 1 : a.place - b.place))
    .map(({ waiting }) => waiting);
}

/**
 * Answers those whose time is up with the failure, or that it is not known whether theirs was stored; those left are to be
 * tried again.
 */
export function expire(waiting: readonly Waiting[], failure: unknown): Waiting[] {
  const now = performance.now();
  return waiting.filter((one) => {
    if (now <= one.deadline) return true;
    one.reject(one.unsure ? fail('outcome_unknown', unsure, { cause: failure }) : failure);
    return false;
  });
}

export const unsure =
  'The database did not answer, so the event may be stored: send it again with the same key, or look first.';

/** Milliseconds before the next try after so many failures in a row. */
export const pause = (failures: number): number => Math.min(1_000, 25 * 2 ** failures);
