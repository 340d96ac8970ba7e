import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ProcessConfig } from './process.ts';
import { keepSecret, readSecret } from './secret-file.ts';

const pathIn = (dataDir: string): string => join(dataDir, 'secret.key');

/** The configured key, or the one kept in the data folder; undefined where there is none. */
export async function keptSecretKey(
  config: Pick<ProcessConfig, 'secretKey'>,
  dataDir: string,
): Promise<Uint8Array | undefined> {
  if (config.secretKey !== undefined) return config.secretKey;
  const kept = await readSecret(pathIn(dataDir));
  return kept === undefined ? undefined : Buffer.from(kept, 'hex');
}

/** The same, and one is made where there is none; several processes may start there at once. */
export async function secretKey(config: Pick<ProcessConfig, 'secretKey'>, dataDir: string): Promise<Uint8Array> {
  const kept = await keptSecretKey(config, dataDir);
  return kept ?? Buffer.from(await keepSecret(pathIn(dataDir), randomBytes(32).toString('hex')), 'hex');
}
