import { hash } from 'node:crypto';
import type { SqlPool } from '@steward/sql';
import { signNote } from '../format/note.ts';
import { hourPath } from '../format/paths.ts';
import { ArchiveConflict, type ArchiveTarget } from '../targets/target.ts';
import { SealRefused } from '../sealing/refusal.ts';
import type { Signers } from '../sealing/days/store-day.ts';
import { readHour } from './note.ts';
import { readArchivedHour } from './read.ts';
import { closeHour, recordHour } from './statements.ts';

/**
 * Signs the ends of the chains that have changed, at most once an hour, and puts the note into the archive. The database decides
 * its contents first, so any number of processes write one object, and the next process finishes it after a kill.
 * @returns whether one was written
 * @throws SealRefused where the archive holds another checkpoint under that number
 */
export async function checkpointHour(
  pool: SqlPool,
  target: ArchiveTarget,
  { key, known }: Signers,
  incarnation: number,
): Promise<boolean> {
  const due = await closeHour(pool, incarnation);
  if (due === undefined) return false;
  // The key signs no text that somebody wrote into the database, only one that can mean nothing but this.
  if (readHour(due.body).number !== due.number)
    throw new SealRefused('platform', `hour ${due.number}`, 'its draft in the database is that of another.');
  const bytes = Buffer.from(signNote(due.body, [key]));
  try {
    await target.put(hourPath(due.number), bytes);
    await recordHour(pool, due.number, hash('sha256', bytes), key.keyId);
  } catch (error) {
    if (!(error instanceof ArchiveConflict)) throw error;
    // Signed by the key before this one, by a process that was killed before it could record it.
    const there = await readArchivedHour(target, due.number, known);
    if (there === undefined || there === false || there.text !== due.body)
      throw new SealRefused('platform', `hour ${due.number}`, 'the archive holds another checkpoint under its number.');
    await recordHour(pool, due.number, there.sha256, there.keyId);
  }
  return true;
}
