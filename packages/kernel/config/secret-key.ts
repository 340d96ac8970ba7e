import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessConfig } from './config.ts';

const pathIn = (dataDir: string): string => join(dataDir, 'secret.key');

/** The configured key, or the one kept in the data folder; undefined where there is none. */
export async function keptSecretKey(
  config: Pick<ProcessConfig, 'secretKey'>,
  dataDir: string,
): Promise<Uint8Array | undefined> {
  if (config.secretKey !== undefined) return config.secretKey;
  try {
    return Buffer.from(await readFile(pathIn(dataDir), 'utf8'), 'hex');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The same, and one is made where there is none; several processes may start there at once. */
export async function secretKey(config: Pick<ProcessConfig, 'secretKey'>, dataDir: string): Promise<Uint8Array> {
  for (;;) {
    const kept = await keptSecretKey(config, dataDir);
    if (kept !== undefined) return kept;
    const path = pathIn(dataDir);
    const draft = `${path}.${process.pid}`;
    await writeFile(draft, randomBytes(32).toString('hex'), { mode: 0o600 });
    // link refuses an existing name: the first process wins and the others read its key.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(draft, { force: true });
  }
}
