import type { SqlPool } from '@steward/sql';
import { createBatcher, createSemaphore } from '@steward/work';
import type { AppendRow } from '../appending/statement.ts';
import { onFailureOf, flush, type FlushOptions, type Send } from './flush.ts';
import { expired, type Waiting } from './waiting.ts';

/** A head that was found locked this often is waited for, apart from the rest. */
const busyLimit = 3;
/** A batch below this is not worth halving. */
const leastHalf = 8;
const maxBatch = 256;
/** Connections that may wait for heads at once; the pool serves others too. */
const maxWaits = 2;

const common = {
  onFailure: onFailureOf,
  expired,
  retry: { first: 50, longest: 1_000 },
  weightOf: ({ entry }: Waiting): number => entry.text.length,
  most: 4 * 1_048_576,
};

/**
 * Who is flushed when. Two batches travel on one connection, so that this process prepares one while the database
 * commits the other; they take whatever heads are free. Tenants whose head others keep locked are waited for apart,
 * each in a line of its own that is open until it is empty, and hold up nobody else.
 */
export function createTurns(pool: SqlPool, options: FlushOptions): (waiting: Waiting) => Promise<AppendRow> {
  const lines = new Map<string, (waiting: Waiting) => Promise<AppendRow>>();
  const turns = createSemaphore(maxWaits);

  const openLine = (tenant: string) =>
    createBatcher<Waiting, AppendRow>({
      ...common,
      open: async (run) => {
        await turns.acquire();
        try {
          await run();
        } finally {
          turns.release();
        }
      },
      commit: async (batch) => {
        const rows = await flush((one) => pool.query(one), 'wait', batch, options);
        return rows.map((row) => row && { answer: row });
      },
      concurrency: 1,
      size: () => maxBatch,
      onIdle: () => lines.delete(tenant),
    });
  const join = async (waiting: Waiting): Promise<AppendRow> => {
    const { tenantId } = waiting.entry.envelope;
    return lines.getOrInsertComputed(tenantId, openLine)(waiting);
  };

  const free = createBatcher<Waiting, AppendRow, Send>({
    ...common,
    open: async (run) => pool.pipeline(run),
    commit: async (batch, send) => {
      const rows = await flush(send, 'skip', batch, options);
      const allBusy = rows.every((row) => row?.outcome === 'busy');
      return batch.map((waiting, index) => {
        const row = rows[index];
        if (row?.outcome !== 'busy') return row && { answer: row };
        waiting.busy += 1;
        return allBusy || waiting.busy >= busyLimit ? { answer: join(waiting) } : 'later';
      });
    },
    concurrency: 2,
    size: (waiting, inFlight, batches) =>
      batches > 0 && waiting * 2 < inFlight
        ? 0
        : Math.min(maxBatch, Math.max(leastHalf, Math.ceil((waiting + inFlight) / 2))),
  });
  return async (waiting) => (lines.has(waiting.entry.envelope.tenantId) ? join : free)(waiting);
}
