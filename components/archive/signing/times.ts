import { sql, type SqlPool } from '@steward/sql';
import { dayAfter } from '../sealing/calendar.ts';
import { dueDays, firstSealedDay, lastOver, lastPlatformDay } from '../sealing/statements.ts';

/**
 * From which day a key signs that is made now: the first that is not sealed for everybody. And to which the one before it: a
 * process may go on with it for a minute before it hears of the new one.
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
