import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ConfigError, keepSecret, readSecret } from '@steward/kernel';
import type { SigningKey } from '../format/note.ts';

/** Where this process has its key from: a file, or the configuration itself. */
export type KeySource =
  | { readonly path: string; readonly mayCreate: boolean }
  | { readonly pem: string; readonly path: undefined };

/** @param given AUDIT_SIGNING_KEY: a path, or PEM text in which `\n` may replace a line feed */
export function keySource(given: string | undefined, dataDir: string): KeySource {
  if (given === undefined) return { path: join(dataDir, 'audit', 'signing-key.pem'), mayCreate: true };
  if (given.startsWith('-----BEGIN')) return { pem: given.replaceAll('\\n', '\n'), path: undefined };
  return { path: resolve(given), mayCreate: false };
}

/** Undefined where there is no such file. @throws ConfigError where it holds no Ed25519 key */
export async function readKey(source: KeySource): Promise<SigningKey | undefined> {
  if (source.path === undefined) return parse(source.pem, 'AUDIT_SIGNING_KEY');
  const pem = await readSecret(source.path);
  return pem === undefined ? undefined : parse(pem, source.path);
}

/** Makes the key's file where none is; of any number of processes that try, all answer with the first one's key. */
export const createKey = async (path: string): Promise<SigningKey> =>
  parse(await keepSecret(path, generateKey().pem), path);

export function generateKey(): { readonly pem: string; readonly key: SigningKey } {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  return { pem, key: parse(pem, 'a new key') };
}

/** Where a new key waits until the registry knows it; each under a name of its own, for there may be two rotations at once. */
export const nextPath = (path: string, keyId: string): string => `${path}.${keyId}.next`;

/**
 * Replaces the old key with the waiting one if that is the wanted key: the next process finishes a rotation that was
 * interrupted.
 */
export async function finishRotation(path: string, wanted: string): Promise<SigningKey | undefined> {
  const next = nextPath(path, wanted);
  const pem = await readSecret(next);
  if (pem === undefined) return undefined;
  const key = parse(pem, next);
  await rename(next, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return key;
}

function parse(pem: string, where: string): SigningKey {
  const privateKey = privateKeyOf(pem);
  const publicKey = privateKey === undefined ? undefined : createPublicKey(privateKey).export({ format: 'jwk' }).x;
  if (privateKey?.asymmetricKeyType !== 'ed25519' || publicKey === undefined)
    throw new ConfigError(`${where} holds no Ed25519 private key in PEM form: restore it from your backup.`);
  return { keyId: hash('sha256', Buffer.from(publicKey, 'base64url'), 'hex').slice(0, 16), privateKey, publicKey };
}

function privateKeyOf(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
