import { constants } from 'node:fs';
import { copyFile, link, lstat, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArchiveConflict, type Source } from '../target.ts';
import { bytesOf, digestOf, digestOfStream } from '../source.ts';
import { codeOf } from './faults.ts';
import type { Folders } from './folders.ts';
import { plainBytes } from './plain.ts';
import { createTemporary, removeIfThere } from './temporary.ts';

export interface Place {
  readonly root: string;
  /** On the same file system as the final names, and not among them. */
  readonly temporary: string;
  readonly folders: Folders;
}

/**
 * Puts the bytes under their final name, whole or not at all, at most once: link(2) refuses a name that is taken, which rename(2)
 * would overwrite. On return file and folder are on disk, and the stored bytes were read and found equal.
 * @param mayLink whether a source on the same file system may become the object itself, instead of a copy of it
 * @throws ArchiveConflict when other bytes are there
 */
export async function store(place: Place, path: string, source: Source, mayLink: boolean): Promise<void> {
  const final = join(place.root, path);
  if (!(await exists(final))) {
    const linked = mayLink && !Buffer.isBuffer(source) && (await linkSource(place, source.file, final));
    if (!linked) await linkCopy(place, source, final);
  }
  await compare(place.root, path, source);
  await place.folders.sync(dirname(final));
}

async function exists(final: string): Promise<boolean> {
  try {
    await lstat(final);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** @returns false where the source is on another file system */
async function linkSource(place: Place, source: string, final: string): Promise<boolean> {
  const file = await open(source, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    await file.chmod(0o444);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await linkOnce(place, source, final);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EXDEV') return false;
    throw error;
  }
}

async function linkCopy(place: Place, source: Source, final: string): Promise<void> {
  const temporary = await createTemporary(place.temporary);
  try {
    try {
      if (Buffer.isBuffer(source)) await temporary.file.writeFile(source);
      else await copyFile(source.file, temporary.path, constants.COPYFILE_FICLONE);
      await temporary.file.chmod(0o444);
      await temporary.file.sync();
    } finally {
      await temporary.file.close();
    }
    await linkOnce(place, temporary.path, final);
  } finally {
    await removeIfThere(temporary.path);
  }
}

async function linkOnce(place: Place, from: string, final: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await link(from, final);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EEXIST') return;
      if (code !== 'ENOENT' || attempt > 1) throw error;
      await place.folders.make(dirname(final));
    }
  }
}

async function compare(root: string, path: string, source: Source): Promise<void> {
  const stored = await lstat(join(root, path));
  if (!stored.isFile()) throw new ArchiveConflict(path, 'what stands there is no plain file');
  const bytes = await bytesOf(source);
  if (stored.size !== bytes) throw new ArchiveConflict(path, `${stored.size} bytes instead of ${bytes}`);
  const there = plainBytes(root, path, bytes);
  const equal = Buffer.isBuffer(source)
    ? source.equals(Buffer.concat(await Array.fromAsync(there)))
    : (await digestOfStream(there)) === (await digestOf(source));
  if (!equal) throw new ArchiveConflict(path, `${bytes} bytes of another content`);
}
