import { readFile } from 'node:fs/promises';
import { fetchJson } from '@steward/kernel';
import type { JSONWebKeySet } from 'jose';

/** Fetches a key set from its configured address alone: no redirects, 3 s, 256 KiB. */
export const fetchKeySet = async (address: string): Promise<JSONWebKeySet> =>
  keySetOf(await fetchJson(address, 'application/jwk-set+json, application/json'), address);

/** Reads a key set that this machine keeps, which may hold private keys: only public members leave. */
export async function readKeySet(path: string): Promise<JSONWebKeySet> {
  return keySetOf(JSON.parse(await readFile(path, 'utf8')), path);
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
