import type { Log } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import { createLoop, type Worker } from '@steward/work';
import { reportReturned } from '../addresses/returned.ts';
import type { SenderDeps } from './sender.ts';
import { kept } from './timings.ts';

const seconds = (milliseconds: number): number => milliseconds / 1000;

/** Rows of each kind a round. */
const most = 1_000;

/** Gives up, erases and forgets emails whose time is over; answers how many it met. */
export async function cleanUp(pool: Pick<SqlPool, 'query'>): Promise<number> {
  const [row] = await pool.query<{ met: number }>(sql`
    select mail.tidy(make_interval(secs => ${seconds(kept.waiting)}), make_interval(secs => ${seconds(kept.contents)}),
      make_interval(secs => ${seconds(kept.row)}), ${most}) as met`);
  return row?.met ?? 0;
}

/**
 * Reports emails that came back, at the start and at every interval (milliseconds), and then tidies up. It does not tidy at the start:
 * emails that waited while nothing ran are tried first.
 */
export function createCleanup(
  pool: Pick<SqlPool, 'query'>,
  log: Pick<Log, 'warn'>,
  refused: SenderDeps['refused'],
  every = 600_000,
): Worker {
  let cleans = false;
  const round = async (): Promise<number> => {
    let met = cleans ? most : 0;
    cleans = true;
    while ((await reportReturned(pool, refused)) > 0);
    while (met >= most) met = await cleanUp(pool);
    return every;
  };
  const failed = (err: unknown): void => log.warn({ err }, 'mail: tidying up failed');
  return createLoop({ round, failed, retry: { first: every, longest: every } });
}
