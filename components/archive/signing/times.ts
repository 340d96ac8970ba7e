import { sql, type SqlPool } from '@steward/sql';
import { dayAfter } from '../sealing/calendar.ts';
import { dueDays, firstSealedDay, lastOver, lastPlatformDay } from '../sealing/statements.ts';

/**
 * The first day of a key that is made now: the first day that is not sealed for all tenants. And the last day of the key before it: a
 * process may still use that for a minute before it learns of the new one.
 */
export async function times(pool: SqlPool): Promise<{ readonly from: string; readonly through: string }> {
  const yesterday = (await lastOver(pool, 0)).day;
  const [due] = await dueDays(pool, yesterday, undefined);
  const platform = await lastPlatformDay(pool);
  const next = platform === undefined ? await firstSealedDay(pool) : dayAfter(platform.day);
  const [from = yesterday] = [
    due?.day ?? dayAfter(yesterday),
    next ?? dayAfter(yesterday),
    dayAfter(yesterday),
  ].toSorted();
  const [row] = await pool.read<{ through: string }>(
    sql`select ((clock_timestamp() at time zone 'UTC') + interval '2 minutes')::date::text as through`,
  );
  return { from, through: row?.through ?? dayAfter(yesterday) };
}
