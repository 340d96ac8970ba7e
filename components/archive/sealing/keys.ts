import type { SqlPool } from '@steward/sql';
import { readKeyNote } from '../format/key-note.ts';
import { keyIdOf } from '../format/note.ts';
import { keyPath } from '../format/paths.ts';
import { requireClaim } from '../claim/claim.ts';
import { ArchiveConflict, type ArchiveTarget } from '../targets/target.ts';
import type { Keyring } from '../signing/keyring.ts';
import { registerKey, type RegisteredKey } from '../signing/registry.ts';
import { readOldest } from './days/archived-day.ts';
import type { Signers } from './days/store-day.ts';

/**
 * The key that signs and those whose signatures are believed. Nothing is written to the archive.
 * @throws KeyUnavailable where this process does not have the current key
 */
export async function findKeys(pool: SqlPool, target: ArchiveTarget, keyring: Keyring): Promise<Signers> {
  await recall(pool, target, keyring);
  const key = await keyring.signer();
  return { key, known: await withEarlier(target, await keyring.registered()) };
}

/**
 * The same for a caller that is about to write: this database has the claim of the archive, and every key's note is in it.
 * @throws KeyUnavailable, NotClaimed where this process may not write
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
  const text = (await readOldest(target, keyPath(keyId)))?.bytes.toString();
  if (text === undefined) return undefined;
  try {
    return { ...readKeyNote(text), text };
  } catch {
    return undefined;
  }
}
