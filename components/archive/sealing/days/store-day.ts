import { canonical } from '@steward/audit/chain';
import { checkpointText } from '../../format/checkpoint.ts';
import { manifestBytes, manifestSha256 } from '../../format/manifest.ts';
import { signNote, type SigningKey } from '../../format/note.ts';
import { dayPaths } from '../../format/paths.ts';
import { ArchiveConflict, type ArchiveTarget, type Source } from '../../targets/target.ts';
import { type ArchivedDay, type Manifest, readArchivedDay, readOldest, signerOf, versionsOf } from './archived-day.ts';

/** Who signs, and whose signatures are believed. */
export interface Signers {
  readonly key: SigningKey;
  /** As `verifierKey` writes them. */
  readonly known: readonly string[];
}

/**
 * Stores a day: rows, manifest, checkpoint. Completes what is there already; takes over a manifest or checkpoint with the same rows
 * (by a process that found other powers of the archive, had another incarnation or the key before) as it is.
 * @returns undefined where the archive holds other rows, or says something else about them
 */
export async function storeDay<M extends Manifest>(
  target: ArchiveTarget,
  signers: Signers,
  owner: string,
  rows: Source,
  manifest: M,
): Promise<ArchivedDay<M> | undefined> {
  const paths = dayPaths(owner, manifest.day);
  const rowsStored = await putUnlessOther(target, paths.rows, rows);
  if (rowsStored === undefined) return undefined;
  const bytes = manifestBytes(manifest);
  const manifestStored = await putUnlessOther(target, paths.manifest, bytes);
  if (manifestStored === undefined) return takeOver(target, signers, owner, rowsStored.version, manifest);
  return sign(target, signers, owner, manifest, bytes, rowsStored.version, manifestStored.version);
}

/** The archived manifest differs. If only its sealer differs, it stays. */
async function takeOver<M extends Manifest>(
  target: ArchiveTarget,
  signers: Signers,
  owner: string,
  rowsVersion: string | undefined,
  manifest: M,
): Promise<ArchivedDay<M> | undefined> {
  const there = await readArchivedDay<M>(target, manifest.format, owner, manifest.day, signers.known);
  if (there !== undefined) return saysTheSame(there.manifest, manifest) ? there : undefined;
  // Its sealer was killed before it signed.
  const stored = await readOldest(target, dayPaths(owner, manifest.day).manifest);
  if (stored === undefined) return undefined;
  const unsigned = withinOf(stored.bytes, manifest);
  if (unsigned === undefined) return undefined;
  return sign(target, signers, owner, unsigned, stored.bytes, rowsVersion, stored.version);
}

async function sign<M extends Manifest>(
  target: ArchiveTarget,
  { key, known }: Signers,
  owner: string,
  manifest: M,
  bytes: Buffer,
  rowsVersion: string | undefined,
  manifestVersion: string | undefined,
): Promise<ArchivedDay<M> | undefined> {
  const { day, count, root } = manifest;
  const sha256 = manifestSha256(bytes);
  const text = checkpointText({ owner, day, count, root, manifestSha256: sha256 });
  const note = signNote(text, [key]);
  const path = dayPaths(owner, day).checkpoint;
  const sealed = (checkpoint: string, keyId: string, version: string | undefined): ArchivedDay<M> => ({
    manifest,
    manifestSha256: sha256,
    versions: versionsOf(rowsVersion, manifestVersion, version),
    checkpoint,
    keyId,
  });
  const stored = await putUnlessOther(target, path, Buffer.from(note));
  if (stored !== undefined) return sealed(note, key.keyId, stored.version);
  const other = await readOldest(target, path);
  const keyId = other === undefined ? undefined : signerOf(other.bytes.toString(), text, known);
  return other === undefined || keyId === undefined ? undefined : sealed(other.bytes.toString(), keyId, other.version);
}

/** Everything but what may differ between two processes that seal the same rows. */
const same = ({ target: _target, incarnation: _incarnation, ...rest }: Manifest): string => canonical(rest);

export const saysTheSame = (one: Manifest, other: Manifest): boolean => same(one) === same(other);

function withinOf<M extends Manifest>(bytes: Buffer, wanted: M): M | undefined {
  try {
    const stored = JSON.parse(bytes.toString()) as M;
    return manifestBytes(stored).equals(bytes) && saysTheSame(stored, wanted) ? stored : undefined;
  } catch {
    return undefined;
  }
}

async function putUnlessOther(
  target: ArchiveTarget,
  path: string,
  source: Source,
): Promise<{ readonly version: string | undefined } | undefined> {
  try {
    return { version: await target.put(path, source) };
  } catch (error) {
    if (error instanceof ArchiveConflict) return undefined;
    throw error;
  }
}
