import { fail } from '@steward/kernel';
import type { Entry } from '../appending/entry.ts';

/** An event on its way. */
export interface Waiting {
  readonly entry: Entry;
  /** Milliseconds of a monotonic clock after which the caller is answered whatever happens. */
  deadline: number;
  /** How often its head was found locked. */
  busy: number;
  /** Whether an earlier attempt may have been committed without our hearing of it. */
  unsure: boolean;
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

/** Entries whose time is over get the failure, or the answer that it is unknown whether they were stored. */
export function expired({ deadline, unsure: isUnsure }: Waiting, failure: unknown): Error | undefined {
  if (performance.now() <= deadline) return undefined;
  return isUnsure ? fail('outcome_unknown', unsure, { cause: failure }) : (failure as Error);
}

export const unsure =
  'The database did not answer, so the event may be stored: send it again with the same key, or look first.';
