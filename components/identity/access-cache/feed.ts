import type { Log } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import { createLoop } from '@steward/work';

const pollEvery = 400;
const pruneEvery = 60_000;
/** Contracts §3: a process that cannot confirm its caches for this long reads the database each time. */
const trustedFor = 2_000;
/** Rows are kept ten minutes; a process that was away longer than this may have missed some. */
const placeKeptFor = 5 * 60_000;

export interface AccessChanges {
  /** Whether changes of other processes were looked for within the last two seconds. */
  current(): boolean;
  /** Resolves once they were looked for, in vain or not. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** `forget(undefined)` means all tenants. */
export function createAccessChanges(
  pool: Pick<SqlPool, 'query'>,
  log: Log,
  forget: (tenant: string | undefined) => void,
): AccessChanges {
  let confirmedAt = -Infinity;
  let prunedAt = -Infinity;
  let horizon: string | null = null;
  let seen = new Set<string>();

  const poll = async (): Promise<void> => {
    const at = performance.now();
    const lost = at - confirmedAt > placeKeptFor;
    const [row] = await pool.query<{ horizon: string; ids: string[]; tenants: string[] }>(
      sql`select horizon, ids, tenants from identity.standing_changes(${lost ? null : horizon})`,
    );
    if (row === undefined) return;
    if (lost) forget(undefined);
    row.ids.forEach((id, index) => {
      if (!seen.has(id)) forget(row.tenants[index]);
    });
    seen = new Set(row.ids);
    horizon = row.horizon;
    confirmedAt = at;
    if (at - prunedAt > pruneEvery) {
      prunedAt = at;
      await pool.query(sql`select identity.prune_standing_changes()`);
    }
  };
  const looked = Promise.withResolvers<void>();
  const loop = createLoop({
    round: async () => {
      await poll().finally(looked.resolve);
      return pollEvery;
    },
    failed: (error, failures) => {
      if (failures === 1) log.warn({ err: error }, 'changes of access cannot be read; nothing is cached meanwhile');
    },
    retry: { first: pollEvery, longest: pollEvery },
  });
  return {
    current: () => performance.now() - confirmedAt <= trustedFor,
    start: async () => {
      loop.start();
      await looked.promise;
    },
    stop: async () => loop.stop(),
  };
}
