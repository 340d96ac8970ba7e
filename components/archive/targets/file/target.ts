import { lstat, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ArchiveConfig } from '../settings.ts';
import { ArchiveConflict, type ArchiveTarget, type Powers, type Version } from '../target.ts';
import { demandWriteOnce } from '../demand.ts';
import { checkPath } from '../path.ts';
import { codeOf, explain } from './faults.ts';
import { createFolders } from './folders.ts';
import { createImmutableBit, type ImmutableBit } from './immutable.ts';
import { plainBytes } from './plain.ts';
import { probe } from './probe.ts';
import { store, type Place } from './store.ts';
import { removeProtected, sweepTemporary } from './temporary.ts';
import { walk } from './walk.ts';

const sweepEvery = 60 * 60 * 1000;
/** A file, a link or a pipe is where a folder belongs; a source that is a link is opened, and no place of ours. */
const isInTheWay = (error: unknown): boolean =>
  ['ENOTDIR', 'EISDIR'].includes(codeOf(error) ?? '') ||
  (codeOf(error) === 'ELOOP' && (error as NodeJS.ErrnoException).syscall !== 'open');

/**
 * An archive in a folder. This program never gives a name to other bytes; the owner of the folder can, and root can even with
 * the immutable bit: write-once, not tamper-proof.
 * @param root absolute; made when it is missing
 */
export function createFileTarget(root: string, options: Pick<ArchiveConfig, 'immutable' | 'accept'>): ArchiveTarget {
  const address = `file:${root}`;
  const folders = createFolders(root);
  const place: Place = { root, temporary: join(root, '.tmp'), folders };
  const bit = createImmutableBit();
  let prepared: { readonly at: number; readonly done: Promise<void> } | undefined;
  let powers: Promise<Powers> | undefined;

  /** Called again if somebody removed the folders under a running process: the next write makes them. */
  const prepare = (): Promise<void> => {
    if (prepared === undefined || performance.now() - prepared.at > sweepEvery) {
      const mine = { at: performance.now(), done: makeFolders(place, bit) };
      mine.done.catch(() => (prepared = undefined));
      prepared = mine;
    }
    return prepared.done;
  };
  const ask = (): Promise<Powers> => {
    powers ??= prepare().then(() => probe(place.temporary, options.immutable ? bit : undefined));
    powers.catch(() => (powers = undefined));
    return powers;
  };
  const isProtecting = async (): Promise<boolean> => options.immutable && (await ask()).by === 'link+immutable';
  const explained = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw explain(address, what, error);
    }
  };

  return {
    address,
    probe: () =>
      explained('Probing', async () =>
        demandWriteOnce(address, await ask(), options.accept, 'Use a file system that knows hard links'),
      ),
    put: (path, source) =>
      explained(`Storing ${path}`, async () => {
        checkPath(path);
        const immutable = await isProtecting();
        // No name can be taken from an immutable file, so a caller could not unlink a source that became the object.
        const attempt = (): Promise<void> => prepare().then(() => store(place, path, source, !immutable));
        await attempt().catch((error: unknown) => {
          if (isInTheWay(error)) throw new ArchiveConflict(path, 'no folder stands where one must be');
          if (codeOf(error) !== 'ENOENT') throw error;
          prepared = undefined;
          return attempt();
        });
        if (immutable) await bit.set(join(root, path));
        return undefined;
      }),
    read: (path, most) =>
      explained(`Reading ${path}`, async () => {
        checkPath(path);
        const size = await sizeOf(root, path);
        if (size === undefined) return undefined;
        if (size > most) throw new ArchiveConflict(path, `${size} bytes, and at most ${most} can be right`);
        return plainBytes(root, path, most);
      }),
    list: (prefix) => walk(root, prefix),
    history: (path) =>
      explained(`Reading ${path}`, async (): Promise<Version[]> => {
        checkPath(path);
        const size = await sizeOf(root, path);
        return size === undefined ? [] : [{ version: undefined, deleteMarker: false, bytes: size }];
      }),
    expire: (path) =>
      explained(`Removing ${path}`, async () => {
        checkPath(path);
        await removeProtected(join(root, path), bit);
        await folders.sync(dirname(join(root, path)));
      }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function makeFolders({ root, temporary, folders }: Place, bit: ImmutableBit): Promise<void> {
  for (const made of await makeRoot(root)) await folders.sync(dirname(made));
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  await sweepTemporary(temporary, bit);
}

/**
 * Makes a folder and those above it, one at a time: where a file system answers that what was just made is not there, as
 * /proc does, `recursive` would try for ever.
 * @returns those that were made, the innermost first
 */
async function makeRoot(folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = folder; !(await isFolder(at)); at = dirname(at)) missing.push(at);
  for (const one of missing.toReversed()) {
    await mkdir(one, { mode: 0o750 }).catch((error: unknown) => {
      // Another process was faster.
      if (codeOf(error) === 'EEXIST') return;
      if (codeOf(error) !== 'ENOENT') throw error;
      throw Object.assign(new Error(`No folder can be made at ${one}: choose another place for the archive.`), {
        code: 'EINVAL',
      });
    });
  }
  return missing;
}

/** @throws Error `ENOTDIR` where something else is there */
async function isFolder(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
  throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
}

/** @throws ArchiveConflict where no plain file is there */
async function sizeOf(root: string, path: string): Promise<number | undefined> {
  try {
    const found = await lstat(join(root, path));
    if (!found.isFile()) throw new ArchiveConflict(path, 'what stands there is no plain file');
    return found.size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
