import { readFile } from 'node:fs/promises';
import type { JSONWebKeySet } from 'jose';

const sizeLimit = 262_144;

/** Fetches a key set from its configured address alone: no redirects, 3 s, 256 KiB. */
export async function fetchKeySet(address: string): Promise<JSONWebKeySet> {
  const response = await fetch(address, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(3_000),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${address} answered ${response.status}`);
  }
  return keySetOf(JSON.parse(await readLimited(response)), address);
}

/** Reads a key set that this machine keeps, which may hold private keys: only public members leave. */
export async function readKeySet(path: string): Promise<JSONWebKeySet> {
  return keySetOf(JSON.parse(await readFile(path, 'utf8')), path);
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > sizeLimit) throw new Error(`the key set is larger than ${sizeLimit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Members of public keys (RFC 7518 §6, RFC 8037 §2); symmetric and private ones are left out. */
const publicMembers = ['kty', 'kid', 'alg', 'use', 'key_ops', 'crv', 'x', 'y', 'n', 'e'];

function keySetOf(parsed: unknown, where: string): JSONWebKeySet {
  const keys = typeof parsed === 'object' && parsed !== null && 'keys' in parsed ? parsed.keys : undefined;
  if (!Array.isArray(keys)) throw new Error(`${where} holds no JWK set`);
  return {
    keys: keys
      .filter((key) => typeof key === 'object' && key !== null && typeof key.kty === 'string' && key.kty !== 'oct')
      .slice(0, 100)
      .map((key) => Object.fromEntries(Object.entries(key).filter(([member]) => publicMembers.includes(member)))),
  } as JSONWebKeySet;
}
