import { hash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ConfigError, keepSecret, readSecret } from '@steward/kernel';

/** A key that wraps subjects' keys. */
export interface MasterKey {
  /** First 16 hex digits of a SHA-256 over it: identifies the key and reveals nothing about it. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Buffer;
}

/** The first wraps what is new; the others still open what they wrapped. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]];

/**
 * The configured master keys, or those in `audit/master-key` under the data folder, one of 64 hex digits a line, made
 * at first use.
 * @throws ConfigError where the file holds no key
 */
export async function readMasterKeys(configured: readonly Uint8Array[], dataDir: string): Promise<MasterKeys> {
  const [given, ...older] = configured;
  if (given !== undefined) return [masterKey(given), ...older.map(masterKey)];
  const path = join(dataDir, 'audit', 'master-key');
  const kept = (await readSecret(path)) ?? (await keepSecret(path, `${randomBytes(32).toString('hex')}\n`));
  const lines = kept.split('\n').filter((line) => line !== '');
  const [first, ...rest] = lines.map((line) => {
    if (!/^[0-9a-f]{64}$/.test(line))
      throw new ConfigError(`${path} holds no master key of 64 hex digits: restore it from your backup.`);
    return masterKey(Buffer.from(line, 'hex'));
  });
  if (first === undefined) throw new ConfigError(`${path} is empty: restore it from your backup.`);
  return [first, ...rest];
}

const masterKey = (bytes: Uint8Array): MasterKey => ({
  id: hash('sha256', Buffer.concat([Buffer.from('audit-master-key/v1\n'), bytes])).slice(0, 16),
  bytes: Buffer.from(bytes),
});
