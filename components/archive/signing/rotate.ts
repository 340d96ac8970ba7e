import { rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { writeSecret } from '@steward/kernel';
import type { SqlPool } from '@steward/sql';
import { writeKeyNote } from '../format/key-note.ts';
import { type SigningKey, verifierKey } from '../format/note.ts';
import { times } from './times.ts';
import { generateKey, type KeySource, nextPath } from './key-file.ts';
import { createKeyring, KeyUnavailable } from './keyring.ts';
import { registerKey } from './registry.ts';

export interface Rotation {
  readonly previous: string;
  readonly key: SigningKey;
  readonly verifierKey: string;
  /** Where the new key now is. */
  readonly path: string;
  /** The key comes from configuration, which nobody but the operator can change. */
  readonly configured: boolean;
}

/**
 * Makes a new key, endorsed by the present one, and makes it the current one of the database. If it is interrupted, either nothing
 * has happened, or the next process that looks for its key finishes it.
 * @param lost the present key is gone: nothing endorses the new one, and auditors must trust it separately
 * @throws KeyUnavailable where the present key is not here
 */
export async function rotateKey(
  pool: SqlPool,
  source: KeySource,
  dataDir: string,
  { lost }: { readonly lost: boolean },
): Promise<Rotation> {
  const keyring = createKeyring(pool, source);
  const previous = lost ? undefined : await keyring.signer();
  const current = (await keyring.registered()).at(-1)?.keyId;
  const { pem, key } = generateKey();
  const configured = source.path === undefined;
  const path = source.path ?? join(dataDir, 'audit', 'signing-key.pem');
  const next = nextPath(path, key.keyId);
  await writeSecret(next, pem);
  const entry = { keyId: key.keyId, verifierKey: verifierKey(key.publicKey), note: await noteOf(pool, key, previous) };
  if (!(await registerKey(pool, current, entry))) {
    await unlink(next);
    throw new KeyUnavailable('Another process rotated the key at the same time: look at `steward audit keys`.');
  }
  await rename(next, path);
  return { previous: current ?? '', key, verifierKey: entry.verifierKey, path, configured };
}

async function noteOf(pool: SqlPool, key: SigningKey, previous: SigningKey | undefined): Promise<string> {
  const { from, through } = await times(pool);
  return writeKeyNote(key, from, previous === undefined ? undefined : { key: previous, through });
}
