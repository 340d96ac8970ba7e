import { checkpointText, readCheckpoint } from '../../format/checkpoint.ts';
import { type DayManifest, manifestSha256, type PlatformManifest, readManifest } from '../../format/manifest.ts';
import { keyIdOf, openNote } from '../../format/note.ts';
import { dayPaths } from '../../format/paths.ts';
import { ArchiveConflict, type ArchiveTarget, mostOfSmall } from '../../targets/target.ts';

export type Manifest = DayManifest | PlatformManifest;

export interface Versions {
  readonly rows: string;
  readonly manifest: string;
  readonly checkpoint: string;
}

/** A complete day of the archive, signed with a key we know. */
export interface ArchivedDay<M extends Manifest = Manifest> {
  readonly manifest: M;
  /** Lower-case hex, of the manifest's bytes. */
  readonly manifestSha256: string;
  /** Undefined where the archive's objects have no versions. */
  readonly versions: Versions | undefined;
  /** The signed note. */
  readonly checkpoint: string;
  readonly keyId: string;
}

/**
 * What the archive holds of a day; undefined where manifest or checkpoint are missing, or say something that no known
 * key has signed.
 * @param known keys as `verifierKey` writes them
 */
export async function readArchivedDay<M extends Manifest>(
  target: ArchiveTarget,
  format: M['format'],
  owner: string,
  day: string,
  known: readonly string[],
): Promise<ArchivedDay<M> | undefined> {
  const paths = dayPaths(owner, day);
  const manifest = await readOldest(target, paths.manifest);
  const checkpoint = await readOldest(target, paths.checkpoint);
  if (manifest === undefined || checkpoint === undefined) return undefined;
  const read = parse(manifest.bytes);
  if (read === undefined || read.format !== format || read.day !== day) return undefined;
  if ('tenant' in read && read.tenant !== owner) return undefined;
  const sha256 = manifestSha256(manifest.bytes);
  const note = checkpoint.bytes.toString();
  const wanted = { owner, day, count: read.count, root: read.root, manifestSha256: sha256 };
  const keyId = signerOf(note, checkpointText(wanted), known);
  if (keyId === undefined) return undefined;
  const rows = await oldest(target, paths.rows);
  if (rows === undefined) return undefined;
  return {
    manifest: read as M,
    manifestSha256: sha256,
    versions: versionsOf(rows.version, manifest.version, checkpoint.version),
    checkpoint: note,
    keyId,
  };
}

/** The key that signed a checkpoint of exactly this text; undefined where no known key did. */
export function signerOf(note: string, text: string, known: readonly string[]): string | undefined {
  try {
    const opened = openNote(note, known);
    readCheckpoint(opened.text);
    const [line] = opened.signedBy;
    return opened.text === text && line !== undefined ? keyIdOf(line) : undefined;
  } catch {
    return undefined;
  }
}

export const versionsOf = (
  rows: string | undefined,
  manifest: string | undefined,
  checkpoint: string | undefined,
): Versions | undefined =>
  rows === undefined || manifest === undefined || checkpoint === undefined ? undefined : { rows, manifest, checkpoint };

export interface Stored {
  readonly bytes: Buffer;
  readonly version: string | undefined;
}

/** A small object, in its oldest version: what came later was put there by somebody else. @throws ArchiveConflict where it is none */
export async function readOldest(target: ArchiveTarget, path: string, most = mostOfSmall): Promise<Stored | undefined> {
  const first = await oldest(target, path);
  if (first === undefined) return undefined;
  const chunks = await target.read(path, most, first.version);
  return chunks === undefined
    ? undefined
    : { bytes: Buffer.concat(await Array.fromAsync(chunks)), version: first.version };
}

/** The same; `false` if something else is there, or more than so many bytes. */
export async function readBounded(
  target: ArchiveTarget,
  path: string,
  most: number,
): Promise<Stored | false | undefined> {
  try {
    return await readOldest(target, path, most);
  } catch (error) {
    if (error instanceof ArchiveConflict) return false;
    throw error;
  }
}

export async function oldest(
  target: ArchiveTarget,
  path: string,
): Promise<{ readonly version: string | undefined } | undefined> {
  return (await target.history(path)).findLast(({ deleteMarker }) => !deleteMarker);
}

function parse(bytes: Buffer): Manifest | undefined {
  try {
    return readManifest(bytes);
  } catch {
    return undefined;
  }
}
