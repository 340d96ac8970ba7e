import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createHmac, randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose';
import { readKeySet } from '../token/jwks.ts';

/** What the development identity provider keeps between starts. */
export interface DevelopmentKeys {
  /** ES256, private. Its `kid` is its thumbprint: a new key under an old name would break every cached key set. */
  readonly signing: JWK & { readonly kid: string };
  /** Subject ids and cookies are derived from it, so that neither can be guessed. */
  readonly secret: string;
}

interface Stored {
  readonly keys: readonly [JWK & { kid: string }];
  readonly secret: string;
}

const pathIn = (dataDir: string): string => join(dataDir, 'idp', 'keys.json');

/** The keys of this data folder, made on first use; any number of processes may ask at once. */
export async function developmentKeys(dataDir: string): Promise<DevelopmentKeys> {
  const path = pathIn(dataDir);
  const stored = (await read(path)) ?? (await make(path));
  return { signing: stored.keys[0], secret: stored.secret };
}

/** The public half alone. */
export async function readDevelopmentKeys(dataDir: string): Promise<JSONWebKeySet> {
  await developmentKeys(dataDir);
  return readKeySet(pathIn(dataDir));
}

/** An opaque subject id for an e-mail address, the same at every login of this data folder. */
export const subjectOf = (keys: DevelopmentKeys, email: string): string =>
  `u_${createHmac('sha256', keys.secret).update(`subject\n${email.trim().toLowerCase()}`).digest('base64url').slice(0, 22)}`;

async function read(path: string): Promise<Stored | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Stored;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function make(path: string): Promise<Stored> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const stored: Stored = {
    keys: [{ ...jwk, kid, alg: 'ES256', use: 'sig' }],
    secret: randomBytes(32).toString('base64url'),
  };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify(stored));
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    // Whole or not at all, and the first of several processes wins.
    await link(draft, path);
    return stored;
  } catch (error) {
    const winner = (error as NodeJS.ErrnoException).code === 'EEXIST' ? await read(path) : undefined;
    if (winner === undefined) throw error;
    return winner;
  } finally {
    await rm(draft, { force: true });
  }
}
