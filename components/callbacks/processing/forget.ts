import type { Log } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import { createLoop, type Worker } from '@steward/work';

const hour = 3_600_000;
const batch = 500;

/** Forgets what providers sent, so many days after it came. */
export function createForgetting({
  pool,
  days,
  log,
}: {
  readonly pool: Pick<SqlPool, 'query'>;
  readonly days: number;
  readonly log: Log;
}): Worker {
  return createLoop({
    round: async () => {
      const [row] = await pool.query<{ forgotten: number }>(
        sql`select callbacks.forget_bodies(make_interval(days => ${days}::int), ${batch}::int) as forgotten`,
      );
      return (row?.forgotten ?? 0) >= batch ? 0 : hour;
    },
    failed: (error) => log.warn({ err: error }, 'what providers sent was not forgotten; it is tried again'),
    retry: { first: 60_000, longest: hour },
  });
}
