import { isId } from '@steward/kernel';
import type { SqlPool } from '@steward/sql';
import { dayPaths } from '../format/paths.ts';
import type { ArchiveTarget } from '../targets/target.ts';
import { readArchivedDay } from './days/archived-day.ts';
import { dayAfter, dayOf, daysBetween, isDay } from './calendar.ts';
import { dueDays, dueTenants, lastOver, lastPlatformDay } from './statements.ts';

/** How far sealing is, and what is in its way. */
export interface SealingStatus {
  /** The last day that is sealed for everybody, `YYYY-MM-DD`. */
  readonly sealedThrough: string | undefined;
  /** The last day that is over. */
  readonly over: string;
  /** Days that are over and not sealed, of the tenant (or the platform) that is furthest behind. */
  readonly unsealedDays: number;
  readonly waiting: readonly Waiting[];
  /** More wait than are listed. */
  readonly more: number;
  /** Paths of the archive under days that are not over: they will be in the way. */
  readonly early: readonly string[];
}

/** A day that is over and not sealed. */
export interface Waiting {
  /** A tenant's id, or `platform`. */
  readonly owner: string;
  readonly day: string;
  /** Files in its place in the archive, signed by no key of ours; an interrupted sealer leaves rows and manifest. */
  readonly there: readonly string[];
}

const mostNamed = 100;

/** Asks database and archive, and changes nothing. @throws Error where one of them is out of reach */
export async function sealingStatus(
  pool: SqlPool,
  target: ArchiveTarget,
  known: readonly string[],
): Promise<SealingStatus> {
  const { day: over } = await lastOver(pool, 0);
  const due = await dueDays(pool, over, undefined);
  const last = await lastPlatformDay(pool);
  const waiting: Waiting[] = [];
  for (const { day } of due) {
    if (waiting.length >= mostNamed) break;
    for (const { tenant } of await dueTenants(pool, day, undefined, undefined, mostNamed - waiting.length))
      waiting.push({ owner: tenant, day, there: await inTheWay(target, tenant, day, known) });
  }
  const next = last === undefined ? due[0]?.day : dayAfter(last.day);
  if (next !== undefined && next <= over)
    waiting.push({ owner: 'platform', day: next, there: await inTheWay(target, 'platform', next, known) });
  const first = [due[0]?.day, next].filter((day) => day !== undefined && day <= over).toSorted()[0];
  const total = due.reduce((sum, { tenants }) => sum + tenants, 0);
  return {
    sealedThrough: last?.day,
    over,
    unsealedDays: first === undefined ? 0 : daysBetween(first, over) + 1,
    waiting,
    more: Math.max(0, total - waiting.filter(({ owner }) => owner !== 'platform').length),
    early: await earlyPaths(target, dayOf(Date.now())),
  };
}

async function inTheWay(
  target: ArchiveTarget,
  owner: string,
  day: string,
  known: readonly string[],
): Promise<string[]> {
  const format = owner === 'platform' ? 'steward-audit-platform-day/1' : 'steward-audit-day/1';
  // Signed files are taken over, or the sealer and verification report them.
  const signed = await readArchivedDay(target, format, owner, day, known).catch(() => undefined);
  if (signed !== undefined) return [];
  const there: string[] = [];
  for (const path of Object.values(dayPaths(owner, day))) {
    try {
      const [newest] = await target.history(path);
      if (newest !== undefined) there.push(`${path}: ${newest.bytes} bytes`);
    } catch (error) {
      there.push((error as Error).message);
    }
  }
  return there;
}

async function earlyPaths(target: ArchiveTarget, today: string): Promise<string[]> {
  const early: string[] = [];
  for await (const path of target.list('')) {
    const [, owner = '', ...date] = /^([^/]+)\/(\d{4})\/(\d\d)\/(\d\d)\./.exec(path) ?? [];
    const day = date.join('-');
    if ((owner === 'platform' || isId(owner)) && isDay(day) && day >= today) early.push(path);
    if (early.length === mostNamed) break;
  }
  return early;
}
