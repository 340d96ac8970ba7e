import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'vite';
import { bundleInto } from './bundle.ts';
import { cache, stateOfSources } from './sources.ts';

// Builds the pages into the cache, unless they are there. A process of its own: what a bundler takes of memory ends with it.

/** Older states that stay, for a server that still starts from one. */
const kept = 2;
const minutes = 60_000;

const state = await stateOfSources();
const folder = join(cache, state);
await mkdir(cache, { recursive: true });
// One build at a time: the lock ends with its process (see `lockFolder` of packages/postgres), and waiting for it blocks nobody here.
const lock = new DatabaseSync(join(cache, 'lock'), { timeout: 5 * minutes });
lock.exec('PRAGMA journal_mode = MEMORY');
lock.exec('BEGIN IMMEDIATE');
if (!existsSync(folder)) {
  const unfinished = join(cache, 'unfinished');
  await rm(unfinished, { recursive: true, force: true });
  await build(bundleInto(unfinished));
  await compress(unfinished);
  await rename(unfinished, folder);
}
const now = new Date();
await utimes(folder, now, now);
await forgetOlder();
lock.close();

/** Each file once and for all, beside itself, where that makes it smaller. */
async function compress(outDir: string): Promise<void> {
  for (const path of await readdir(outDir, { recursive: true })) {
    if (!/\.(?:js|css|svg)$/.test(path)) continue;
    const bytes = await readFile(join(outDir, path));
    for (const [ending, squeeze] of [
      ['gz', promisify(gzip)],
      ['br', promisify(brotliCompress)],
    ] as const) {
      const squeezed = await squeeze(bytes);
      if (squeezed.length < bytes.length) await writeFile(join(outDir, `${path}.${ending}`), squeezed);
    }
  }
}

async function forgetOlder(): Promise<void> {
  const states = (await readdir(cache)).filter((name) => /^[0-9a-f]{32}$/.test(name) && name !== state);
  const aged = await Promise.all(states.map(async (name) => ({ name, used: (await stat(join(cache, name))).mtimeMs })));
  for (const { name } of aged.toSorted((a, b) => b.used - a.used).slice(kept))
    await rm(join(cache, name), { recursive: true, force: true });
}
