import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Unrecorded } from './compare-days.ts';
import { openReader } from '../parts/reader.ts';

/** A sealer records what it stored a batch at a time; so long one that is at work is waited for, in milliseconds. */
const patience = 60_000;
const pause = 250;

/**
 * Which of these days the database still does not remember: a sealer may have been about to record them when the snapshot was
 * taken.
 */
export async function stillUnrecorded(ownerUrl: string, days: readonly Unrecorded[]): Promise<Unrecorded[]> {
  let left = [...days];
  for (const until = performance.now() + patience; left.length > 0;) {
    const client = await openReader({ ownerUrl });
    try {
      const { rows } = await client.query<{ known: boolean }>(
        `select exists (select from audit.sealed_day s where s.tenant_id::text = d.owner and s.day = d.day)
           or (d.owner = 'platform' and exists (select from audit.platform_day p where p.day = d.day)) as known
         from unnest($1::text[], $2::date[]) with ordinality as d (owner, day, at) order by at`,
        [left.map(({ owner }) => owner), left.map(({ day }) => day)],
      );
      left = left.filter((_, index) => rows[index]?.known !== true);
      if (left.length === 0 || performance.now() > until || !(await isSealing(client))) return left;
    } finally {
      await client.end();
    }
    await sleep(pause);
  }
  return left;
}

/** Whether a process holds the lock under which it seals in the background. */
async function isSealing(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    `select exists (select from pg_locks l where l.locktype = 'advisory' and l.granted
       and l.database = (select oid from pg_database where datname = current_database())
       and ((l.classid::bigint << 32) | l.objid::bigint) = hashtext('audit.sealer')::bigint) as held`,
  );
  return rows[0]?.held === true;
}
