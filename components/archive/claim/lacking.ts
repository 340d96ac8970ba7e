import type { SqlPool } from '@steward/sql';
import { dayPaths, hourPath } from '../format/paths.ts';
import { lastHour } from '../hours/statements.ts';
import { oldest } from '../sealing/days/archived-day.ts';
import { lastPlatformDay } from '../sealing/statements.ts';
import { ArchiveConflict, type ArchiveTarget } from '../targets/target.ts';
import type { Claim } from './note.ts';

/**
 * The newest of what this database has sealed, where the archive does not have it: it is another archive, for the database records
 * only what was stored.
 * @param claim that this database has of the archive; taken over, the archive may lack what was sealed before
 * @returns in words; undefined where it has both the day and the hour
 */
export async function lackingOf(
  pool: SqlPool,
  target: ArchiveTarget,
  claim: Claim | undefined,
): Promise<string | undefined> {
  const taken = claim?.taken;
  const day = await lastPlatformDay(pool);
  if (day !== undefined && day.sealedAt > Date.parse(taken?.at ?? '1970-01-01'))
    if (!(await isThere(target, dayPaths('platform', day.day).checkpoint))) return `the day ${day.day}`;
  const hour = await lastHour(pool);
  if (hour !== undefined && hour.number > (taken?.hours ?? 0) && !(await isThere(target, hourPath(hour.number))))
    return `the hourly checkpoint ${hour.number} of ${hour.takenAt.toISOString()}`;
  return undefined;
}

/** Whatever it is: what stands in its place is an alarm of its own. */
async function isThere(target: ArchiveTarget, path: string): Promise<boolean> {
  try {
    return (await oldest(target, path)) !== undefined;
  } catch (error) {
    if (error instanceof ArchiveConflict) return true;
    throw error;
  }
}
