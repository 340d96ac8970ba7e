import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '@steward/kernel';

/** The configured key, or the one kept in the data folder; several processes may start there at once. */
export async function secretKey(config: Pick<Config, 'secretKey'>, dataDir: string): Promise<Uint8Array> {
  if (config.secretKey !== undefined) return config.secretKey;
  const path = join(dataDir, 'secret.key');
  for (;;) {
    try {
      return Buffer.from(await readFile(path, 'utf8'), 'hex');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    const draft = `${path}.${process.pid}`;
    await writeFile(draft, randomBytes(32).toString('hex'), { mode: 0o600 });
    // link refuses an existing name: the first process wins and the others read its key.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(draft, { force: true });
  }
}
