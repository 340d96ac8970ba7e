import { openNote, signNote, type SigningKey } from '../format/note.ts';
import { expiredPath } from '../format/paths.ts';
import { ArchiveConflict, type ArchiveTarget } from '../targets/target.ts';
import { readOldest } from '../sealing/days/archived-day.ts';

/** A day whose rows left the archive because their time was over. */
export interface ExpiredDay {
  /** A tenant's id. */
  readonly owner: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** Of the manifest that stays, lower-case hex. */
  readonly manifestSha256: string;
}

/** What is signed (docs/guides/audit-archive.md). */
export const expiredText = ({ owner, day, manifestSha256 }: ExpiredDay): string =>
  `steward/audit/expired\n${owner}\n${day}\n${manifestSha256}\n`;

/**
 * Stores the note that distinguishes an expiry from a deletion. An equal note by an earlier key of ours stays.
 * @param known keys as `verifierKey` writes them
 * @throws ArchiveConflict where something else is there
 */
export async function storeExpiredNote(
  target: ArchiveTarget,
  key: SigningKey,
  known: readonly string[],
  expired: ExpiredDay,
): Promise<void> {
  const path = expiredPath(expired.owner, expired.day);
  const text = expiredText(expired);
  try {
    await target.put(path, Buffer.from(signNote(text, [key])));
  } catch (error) {
    if (!(error instanceof ArchiveConflict)) throw error;
    const there = await readOldest(target, path);
    if (there === undefined || openedText(there.bytes.toString(), known) !== text) throw error;
  }
}

function openedText(note: string, known: readonly string[]): string | undefined {
  try {
    return openNote(note, known).text;
  } catch {
    return undefined;
  }
}
