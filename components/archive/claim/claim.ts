import { ConfigError } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import { signNote } from '../format/note.ts';
import { claimPath } from '../format/paths.ts';
import { ArchiveConflict, type ArchiveTarget } from '../targets/target.ts';
import { hoursFrom, type Lost, lostHour } from '../hours/behind.ts';
import { adoptHour, lastHour } from '../hours/statements.ts';
import { readArchivedDay } from '../sealing/days/archived-day.ts';
import { dayAfter } from '../sealing/calendar.ts';
import { lastPlatformDay, presentIncarnation, recordIncarnation } from '../sealing/statements.ts';
import type { Signers } from '../sealing/days/store-day.ts';
import { lackingOf } from './lacking.ts';
import { type Claim, claimText } from './note.ts';
import { readLastClaim } from './read.ts';

/** The archive belongs to another database, or continued without this one: the message says what to do. */
export class NotClaimed extends ConfigError {}

/** As `audit.identity` answers it. */
export interface Identity {
  readonly installation: string;
  readonly database: string;
}

/**
 * Makes sure that this database may write to the archive: it has the claim, and all rows that hourly checkpoints name. Called
 * at start and before every run that writes; if not, the archive is not touched.
 * @param take a claim that nobody has
 * @throws NotClaimed where another database has it, hourly checkpoints name rows that are not here, or it lacks what was sealed
 */
export async function requireClaim(pool: SqlPool, target: ArchiveTarget, signers: Signers, take = true): Promise<void> {
  const own = await readIdentity(pool);
  const found = await readLastClaim(target, signers.known);
  if (found === 'unreadable')
    throw new NotClaimed(
      `The archive ${target.address} is claimed in words that no key of this database signed: it is another installation's. ` +
        'Give this one an archive of its own (AUDIT_ARCHIVE). If somebody put the object there, see where `steward audit claim` says it is.',
    );
  if (found === undefined) {
    if (await isAhead(pool, target, signers.known)) throw new NotClaimed(aheadByDays(target.address));
    if (!take) return;
    await requireWhole(pool, target, undefined);
    // A target that keeps nothing is refused before anything is written to it.
    await target.probe();
    await claimFirst(pool, target, signers, own);
    return;
  }
  if (!isOf(found, own)) throw new NotClaimed(anothers(target.address, found, own));
  await settle(pool, target, signers.known, found);
  await requireWhole(pool, target, found);
  const lost = await lostHour(pool, target, signers.known);
  if (lost !== undefined) throw new NotClaimed(aheadByHours(target.address, lost));
}

/** @throws NotClaimed where the archive lacks the newest day or hour that this database has sealed */
export async function requireWhole(pool: SqlPool, target: ArchiveTarget, claim: Claim | undefined): Promise<void> {
  const lacking = await lackingOf(pool, target, claim);
  if (lacking !== undefined)
    throw new NotClaimed(
      `The archive ${target.address} lacks what this database has sealed, ${lacking}: it is another archive, or its disk is not mounted. ` +
        'Give this database its own again (AUDIT_ARCHIVE), or copy all of that one here. Only if that one is lost for good, or this is a ' +
        'copy for tests, begin here without it: `steward audit claim --new-archive --reason "…"`.',
    );
}

export const isOf = (claim: Claim, own: Identity): boolean =>
  claim.installation === own.installation && claim.database === own.database;

export async function readIdentity(pool: SqlPool): Promise<Identity> {
  const [row] = await pool.read<{ installation: string; database: string }>(
    sql`select installation, database from audit.identity()`,
  );
  if (row === undefined) throw new Error('the database did not tell which one it is');
  return row;
}

/** Any number of processes of one database write the same bytes. */
async function claimFirst(pool: SqlPool, target: ArchiveTarget, signers: Signers, own: Identity): Promise<void> {
  const incarnation = await presentIncarnation(pool);
  const claim: Claim = { number: 1, ...own, incarnation, previous: undefined, taken: undefined, lost: [] };
  try {
    await target.put(claimPath(1), Buffer.from(signNote(claimText(claim), [signers.key])));
  } catch (error) {
    if (!(error instanceof ArchiveConflict)) throw error;
    const first = await readLastClaim(target, signers.known);
    if (first === undefined || first === 'unreadable' || !isOf(first, own))
      throw new NotClaimed(`Another database claimed the archive ${target.address} at the same moment: start again.`);
  }
}

/** What follows in the database from a claim that was taken over; whatever was cut off is done by the next run. */
export async function settle(
  pool: SqlPool,
  target: ArchiveTarget,
  known: readonly string[],
  { taken, incarnation }: Claim,
): Promise<void> {
  if (taken === undefined) return;
  if (incarnation > (await presentIncarnation(pool))) await recordIncarnation(pool, incarnation, taken.at.slice(0, 10));
  const last = (await lastHour(pool))?.number ?? 0;
  if (last >= taken.hours) return;
  for await (const hour of hoursFrom(target, last + 1, known)) {
    if (hour.number > taken.hours) return;
    await adoptHour(pool, hour);
  }
}

/**
 * Whether an archive that was written before there were claims holds days that this database does not know: one may be
 * of a run that was killed before it recorded it.
 */
async function isAhead(pool: SqlPool, target: ArchiveTarget, known: readonly string[]): Promise<boolean> {
  const isThere = async (day: string): Promise<boolean> =>
    (await readArchivedDay(target, 'steward-audit-platform-day/1', 'platform', day, known)) !== undefined;
  const last = await lastPlatformDay(pool);
  if (last !== undefined) return isThere(dayAfter(dayAfter(last.day)));
  for await (const path of target.list('platform/')) {
    const [, ...date] = /^platform\/(\d{4})\/(\d{2})\/(\d{2})\.checkpoint$/.exec(path) ?? [];
    if (date.length > 0) return isThere(dayAfter(date.join('-')));
  }
  return false;
}

const takeOverWith = 'run `steward audit claim --reason "…"`';

const anothers = (address: string, claim: Claim, own: Identity): string =>
  `The archive ${address} belongs to another database (${claim.database} of installation ${claim.installation}); this is ` +
  `${own.database} of installation ${own.installation}. If this is a copy, give it an archive and a data folder of its own ` +
  '(AUDIT_ARCHIVE, DATA_DIR). If it takes the place of the other one for good (a restored backup, a move, a major upgrade of ' +
  `PostgreSQL), stop the other one and ${takeOverWith}.`;

const aheadByDays = (address: string): string =>
  `The archive ${address} holds days that this database does not know: it is a copy, or a restored backup. If it is a copy, give ` +
  `it an archive and a data folder of its own (AUDIT_ARCHIVE, DATA_DIR). If it takes the place of the other one for good, ${takeOverWith}.`;

function aheadByHours(address: string, { hour, takenAt, heads }: Lost): string {
  const [first] = heads;
  const what =
    first === undefined
      ? 'is not the one that this database wrote'
      : `tells rows that are not here: of ${heads.length} tenants, such as sequence ${first.sequence} of ${first.tenant}`;
  return (
    `The archive ${address} goes on without this database: the checkpoint of ${takenAt} (number ${hour}) ${what}. Either this is ` +
    'a copy, and the other one goes on: give it an archive and a data folder of its own (AUDIT_ARCHIVE, DATA_DIR). Or ' +
    'acknowledged rows were lost, by a restored backup or a standby that took over without them: see with `steward audit verify` ' +
    `which, then ${takeOverWith}.`
  );
}
