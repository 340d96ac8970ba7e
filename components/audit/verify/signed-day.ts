import { checkpointText } from '../archive/checkpoint.ts';
import { type DayManifest, manifestSha256, type PlatformManifest, readManifest } from '../archive/manifest.ts';
import { dayPaths } from '../archive/paths.ts';
import { signerOf } from '../sealing/archived.ts';
import type { Archive } from './archive.ts';
import { readSmall } from './trust.ts';

/** A day as a trusted key signed it. */
export interface SignedDay<M extends DayManifest | PlatformManifest> {
  readonly manifest: M;
  /** Lower-case hex, of the manifest's bytes. */
  readonly manifestSha256: string;
}

/**
 * What the archive holds of a day; undefined where that is not whole, or no trusted key signed it: the archive's own
 * verifier says why.
 */
export async function readSignedDay<M extends DayManifest | PlatformManifest>(
  archive: Archive,
  owner: string,
  day: string,
  keys: readonly string[],
): Promise<SignedDay<M> | undefined> {
  const paths = dayPaths(owner, day);
  const [bytes, note] = await Promise.all([readSmall(archive, paths.manifest), readSmall(archive, paths.checkpoint)]);
  if (bytes === undefined || note === undefined) return undefined;
  const manifest = parse(bytes);
  if (manifest === undefined || manifest.day !== day || ('tenant' in manifest ? manifest.tenant : 'platform') !== owner)
    return undefined;
  const sha256 = manifestSha256(bytes);
  const wanted = { owner, day, count: manifest.count, root: manifest.root, manifestSha256: sha256 };
  const signed = signerOf(note.toString(), checkpointText(wanted), keys) !== undefined;
  return signed ? { manifest: manifest as M, manifestSha256: sha256 } : undefined;
}

function parse(bytes: Buffer): DayManifest | PlatformManifest | undefined {
  try {
    return readManifest(bytes);
  } catch {
    return undefined;
  }
}
