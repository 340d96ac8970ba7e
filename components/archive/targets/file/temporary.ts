import { randomBytes } from 'node:crypto';
import { lstat, open, readdir, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './faults.ts';
import type { ImmutableBit } from './immutable.ts';

/** Milliseconds after which an untouched temporary file can only be what a crash left. Writing one takes seconds. */
const abandonedAfter = 60 * 60 * 1000;
const named = /^[0-9a-f]{24}$/;

/** A new file that no other process has, nor can guess. */
export async function createTemporary(folder: string): Promise<{ path: string; file: FileHandle }> {
  const path = join(folder, randomBytes(12).toString('hex'));
  return { path, file: await open(path, 'wx', 0o600) };
}

/**
 * Removes what crashed processes left, by age on the file system's own clock, so that neither another process at work nor a clock
 * that runs ahead is hurt. A process that slept through the hour fails its put, and stores again on its next run.
 */
export async function sweepTemporary(folder: string, bit: ImmutableBit): Promise<void> {
  const own = await createTemporary(folder);
  const now = (await own.file.stat()).mtimeMs;
  await own.file.close();
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (path === own.path) await removeIfThere(path);
    else if (named.test(name) && (await touched(path)) < now - abandonedAfter) await removeProtected(path, bit);
  }
}

export async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** Removes the file even where the immutable bit is on it, if this process may clear that. */
export async function removeProtected(path: string, bit: ImmutableBit): Promise<void> {
  try {
    await removeIfThere(path);
  } catch (error) {
    if (codeOf(error) !== 'EPERM' || !(await bit.clear(path))) throw error;
    await removeIfThere(path);
  }
}

async function touched(path: string): Promise<number> {
  try {
    return (await lstat(path)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Infinity;
    throw error;
  }
}
