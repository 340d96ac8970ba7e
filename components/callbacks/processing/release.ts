import type { Log } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import { createLoop, type Loop } from '@steward/work';
import { nobody } from '../intake/receive.ts';
import { rest } from './timings.ts';

/** Let go of at once: as many as nobody waits for. */
const batch = 500;

export interface ReleaseDeps {
  readonly pool: Pick<SqlPool, 'query'>;
  /** Told of deliveries that wait now. */
  readonly released: () => void;
  readonly log: Log;
}

/** Has what was held of connections that were resumed be carried out, some at a time, one connection after the other. */
export function createRelease({ pool, released, log }: ReleaseDeps): Pick<Loop, 'start' | 'stop' | 'wake'> {
  let turn = nobody;
  let idle = 0;
  return createLoop({
    round: async () => {
      const [row] = await pool.query<{ connection_id: string; released: number }>(
        sql`select connection_id, released from callbacks.release(${turn}::uuid, ${batch}::int)`,
      );
      if (row === undefined) return rest;
      // Around once without anything to let go of: what is left is only watched for a while.
      idle = row.released > 0 || row.connection_id > turn ? 0 : idle + 1;
      turn = row.connection_id;
      if (row.released > 0) released();
      return idle > 0 ? rest : 0;
    },
    failed: (error) => log.warn({ err: error }, 'what was held of a connection was not let go of; it is tried again'),
    retry: { first: 500, longest: 30_000 },
    patience: 10_000,
  });
}
