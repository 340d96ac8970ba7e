import { hash } from 'node:crypto';
import { keyIdOf, openNote } from '../format/note.ts';
import { hourPath } from '../format/paths.ts';
import type { ArchiveTarget } from '../targets/target.ts';
import { readBounded } from '../sealing/days/archived-day.ts';
import { type Hour, readHour } from './note.ts';

/** An hourly checkpoint of the archive, signed by a known key. */
export interface ArchivedHour extends Hour {
  /** What is signed. */
  readonly text: string;
  /** Of the note's bytes, lower-case hex. */
  readonly sha256: string;
  readonly keyId: string;
}

/** Some 600 000 tenants in one hour. */
export const mostHourBytes = 64 << 20;

/**
 * The checkpoint with that number; undefined if there is none, `false` if there is something else.
 * @param known keys as `verifierKey` writes them
 */
export async function readArchivedHour(
  target: ArchiveTarget,
  number: number,
  known: readonly string[],
): Promise<ArchivedHour | false | undefined> {
  const stored = await readBounded(target, hourPath(number), mostHourBytes);
  if (stored === undefined || stored === false) return stored;
  return openHour(stored.bytes, number, known) ?? false;
}

/** Undefined where these bytes are no checkpoint of that number by a known key. */
export function openHour(bytes: Buffer, number: number, known: readonly string[]): ArchivedHour | undefined {
  try {
    const { text, signedBy } = openNote(bytes.toString(), known);
    const hour = readHour(text);
    const [key] = signedBy;
    if (hour.number !== number || key === undefined) return undefined;
    return { ...hour, text, sha256: hash('sha256', bytes), keyId: keyIdOf(key) };
  } catch {
    return undefined;
  }
}
