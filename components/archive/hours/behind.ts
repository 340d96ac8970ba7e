import type { SqlPool } from '@steward/sql';
import type { ArchiveTarget } from '../targets/target.ts';
import { type ArchivedHour, readArchivedHour } from './read.ts';
import { adoptHour, lastHour, missingHeads } from './statements.ts';
import type { Head } from './note.ts';

/** Where the archive's hours continue without this database. */
export interface Lost {
  readonly hour: number;
  readonly takenAt: string;
  /** Rows that the archive has seen and the database does not have; none where the checkpoint itself is not ours. */
  readonly heads: readonly Head[];
}

/**
 * Compares the last recorded hour with the archive, and takes over later hours of the archive that agree with this
 * database: a standby that took over may lack only their record.
 * @returns the first hour that does not agree with the database; undefined if all agree
 */
export async function lostHour(
  pool: SqlPool,
  target: ArchiveTarget,
  known: readonly string[],
): Promise<Lost | undefined> {
  const last = await lastHour(pool);
  if (last !== undefined) {
    const there = await readArchivedHour(target, last.number, known);
    if (there !== undefined && there !== false && there.sha256 !== last.sha256)
      return { hour: last.number, takenAt: there.takenAt, heads: [] };
  }
  for (let previous = last; ;) {
    const next = await readArchivedHour(target, (previous?.number ?? 0) + 1, known);
    // What no key of ours signed is met when the next one is to be written, and is an alarm then.
    if (next === undefined || next === false) return undefined;
    if (next.previous !== previous?.sha256) return { hour: next.number, takenAt: next.takenAt, heads: [] };
    const heads = await missingHeads(pool, next.heads);
    if (heads.length > 0) return { hour: next.number, takenAt: next.takenAt, heads };
    await adoptHour(pool, next);
    previous = await lastHour(pool);
  }
}

/** The archive's hours from a number on, as far as they are signed and linked. */
export async function* hoursFrom(
  target: ArchiveTarget,
  number: number,
  known: readonly string[],
): AsyncGenerator<ArchivedHour> {
  for (let at = number; ; at += 1) {
    const hour = await readArchivedHour(target, at, known);
    if (hour === undefined || hour === false) return;
    yield hour;
  }
}
