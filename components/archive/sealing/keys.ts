import type { SqlPool } from '@steward/sql';
import { readKeyNote } from '../format/key-note.ts';
import { keyIdOf, type SigningKey, verifierKey } from '../format/note.ts';
import { keyPath } from '../format/paths.ts';
import { requireClaim } from '../claim/claim.ts';
import { ArchiveConflict, type ArchiveTarget, mostOfSmall } from '../targets/target.ts';
import { type Keyring, KeyRetired, KeyUnavailable } from '../signing/keyring.ts';
import { registerKey, type RegisteredKey } from '../signing/registry.ts';
import { readBounded } from './days/archived-day.ts';
import type { Signers } from './days/store-day.ts';

/**
 * The key that signs and those whose signatures are believed. Nothing is written to the archive.
 * @throws KeyUnavailable where this process does not have the current key; KeyRetired where the archive knows one that follows it
 */
export async function findKeys(pool: SqlPool, target: ArchiveTarget, keyring: Keyring): Promise<Signers> {
  await recall(pool, target, keyring);
  const key = await keyring.signer();
  await requireNewest(target, keyring, key);
  return { key, known: await withEarlier(target, await keyring.registered()) };
}

/**
 * The same for a caller that is about to write: this database has the claim of the archive, and every key's note is in it.
 * @throws KeyUnavailable, KeyRetired, NotClaimed where this process may not write
 */
export async function prepareToWrite(pool: SqlPool, target: ArchiveTarget, keyring: Keyring): Promise<Signers> {
  const signers = await findKeys(pool, target, keyring);
  await requireClaim(pool, target, signers);
  for (const one of await keyring.registered()) await putNote(target, one);
  return signers;
}

/** A restored database may have lost the last rotations; the archive's notes name them. */
async function recall(pool: SqlPool, target: ArchiveTarget, keyring: Keyring): Promise<void> {
  const own = await keyring.own();
  const registered = await keyring.registered();
  const current = registered.at(-1)?.keyId;
  if (own === undefined || current === undefined || registered.some(({ keyId }) => keyId === own.keyId)) return;
  const forgotten: { readonly keyId: string; readonly verifierKey: string; readonly note: string }[] = [];
  for (let keyId = own.keyId; keyId !== current;) {
    const note = await noteOf(target, keyId);
    if (note?.previous === undefined || forgotten.some((one) => one.keyId === keyId)) return;
    forgotten.unshift({ keyId, verifierKey: note.key, note: note.text });
    keyId = keyIdOf(note.previous);
  }
  let previous = current;
  for (const one of forgotten) {
    await registerKey(pool, previous, one);
    previous = one.keyId;
  }
}

/** A backup from before a rotation brings the retired key back with its data folder: what that signed would never verify. */
async function requireNewest(target: ArchiveTarget, keyring: Keyring, key: SigningKey): Promise<void> {
  const own = verifierKey(key.publicKey);
  for await (const path of target.list('platform/keys/')) {
    const [, keyId = ''] = /^platform\/keys\/([0-9a-f]{16})\.note$/.exec(path) ?? [];
    const note = await noteOf(target, keyId);
    // Both keys signed the note, so nobody else can retire a key.
    if (note?.previous !== own) continue;
    if ((await keyring.registered()).some((one) => one.keyId === note.keyId))
      throw new KeyUnavailable('The signing key was rotated at this moment: try again.');
    keyring.retire(key.keyId);
    throw new KeyRetired(
      `The archive ${target.address} has the key ${note.keyId}, which followed ${key.keyId}, the key of this database and this process: ` +
        'both are of a backup from before `steward audit rotate-key`. Bring the newest key: its file (DATA_DIR/audit/signing-key.pem), ' +
        'or AUDIT_SIGNING_KEY. The database learns of it from the archive.',
    );
  }
}

async function putNote(target: ArchiveTarget, { keyId, note }: RegisteredKey): Promise<void> {
  try {
    await target.put(keyPath(keyId), Buffer.from(note));
  } catch (error) {
    // A new database calls its first key a first key; the archive may know the one before it.
    const there = error instanceof ArchiveConflict ? await noteOf(target, keyId) : undefined;
    if (there?.keyId !== keyId) throw error;
  }
}

/** Keys from before the first one that is registered: signatures in the archive may be theirs. */
export async function withEarlier(target: ArchiveTarget, registered: readonly RegisteredKey[]): Promise<string[]> {
  const known = registered.map(({ verifierKey }) => verifierKey);
  for (let first = known[0]; first !== undefined;) {
    const previous = (await noteOf(target, keyIdOf(first)))?.previous;
    first = previous === undefined || known.includes(previous) ? undefined : previous;
    if (first !== undefined) known.unshift(first);
  }
  return known;
}

async function noteOf(
  target: ArchiveTarget,
  keyId: string,
): Promise<(ReturnType<typeof readKeyNote> & { readonly text: string }) | undefined> {
  const stored = await readBounded(target, keyPath(keyId), mostOfSmall);
  if (stored === undefined || stored === false) return undefined;
  const text = stored.bytes.toString();
  try {
    return { ...readKeyNote(text), text };
  } catch {
    return undefined;
  }
}
