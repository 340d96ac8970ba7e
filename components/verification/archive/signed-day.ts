import {
  checkpointText,
  type DayManifest,
  manifestSha256,
  type PlatformManifest,
  readManifest,
  dayPaths,
  signerOf,
} from '@steward/archive/format';
import { inFlight } from '@steward/work';
import type { Archive } from './archive.ts';
import { readSmall } from './trust.ts';

/** A day as a trusted key signed it. */
export interface SignedDay<M extends DayManifest | PlatformManifest> {
  readonly manifest: M;
  /** Lower-case hex, of the manifest's bytes. */
  readonly manifestSha256: string;
  /** The signed note. */
  readonly checkpoint: string;
  readonly keyId: string;
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
  const checkpoint = note.toString();
  const wanted = { owner, day, count: manifest.count, root: manifest.root, manifestSha256: sha256 };
  const keyId = signerOf(checkpoint, checkpointText(wanted), keys);
  return keyId === undefined ? undefined : { manifest: manifest as M, manifestSha256: sha256, checkpoint, keyId };
}

/** Days read at the same time: what a bucket answers takes its time. */
const atOnce = 16;

/** Those days of an owner that are signed, in order. */
export async function readSignedDays<M extends DayManifest | PlatformManifest>(
  archive: Archive,
  owner: string,
  days: readonly string[],
  keys: readonly string[],
): Promise<Map<string, SignedDay<M>>> {
  const found = new Map<string, SignedDay<M>>();
  await inFlight(atOnce, days, async (day) => {
    const signed = await readSignedDay<M>(archive, owner, day, keys);
    if (signed !== undefined) found.set(day, signed);
  });
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function parse(bytes: Buffer): DayManifest | PlatformManifest | undefined {
  try {
    return readManifest(bytes);
  } catch {
    return undefined;
  }
}
