import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, newId } from '@steward/kernel';

export interface ReceiptKey {
  /** First 16 hex digits of the SHA-256 of the raw public key. */
  readonly keyId: string;
  readonly privateKey: KeyObject;
  /** The 32 bytes of RFC 8032, base64url without padding. */
  readonly publicKey: string;
}

/** The key that signs receipts: `audit/receipt-key.pem` under the data folder, made at first use. */
export async function readReceiptKey(dataDir: string): Promise<ReceiptKey> {
  const folder = join(dataDir, 'audit');
  const path = join(folder, 'receipt-key.pem');
  const pem = (await readIfThere(path)) ?? (await create(folder, path));
  const privateKey = parse(pem);
  const publicKey = privateKey === undefined ? undefined : createPublicKey(privateKey).export({ format: 'jwk' }).x;
  if (privateKey?.asymmetricKeyType !== 'ed25519' || publicKey === undefined)
    throw new ConfigError(`${path} holds no Ed25519 key: restore it, or move it away for a new one.`);
  return { keyId: hash('sha256', Buffer.from(publicKey, 'base64url'), 'hex').slice(0, 16), privateKey, publicKey };
}

function parse(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** link(2) makes the file appear whole, and for one of any number of processes only. */
async function create(folder: string, path: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
  const temporary = join(folder, `.receipt-key-${newId()}`);
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(pem);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(temporary);
  }
  return readFile(path, 'utf8');
}
