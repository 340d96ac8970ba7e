import { createPrivateKey, sign, type webcrypto } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { World } from './world.ts';

/** A token of the world's issuer with exactly these claims beside the usual ones; undefined leaves one of those out. */
export async function signed(world: World, token: string, changes: Readonly<Record<string, unknown>>): Promise<string> {
  const stored = await readFile(join(world.dataDir, 'idp', 'keys.json'), 'utf8');
  const [key] = (JSON.parse(stored) as { keys: [webcrypto.JsonWebKey] }).keys;
  const [header = '', payload = ''] = token.split('.');
  const claims = { ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object), ...changes };
  const text = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}
