import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface Folders {
  /** Makes the folder and those above it, each entry on disk before it returns. */
  make(folder: string): Promise<void>;
  /** Returns once every entry the folder had when this was called is on disk. Calls that wait share one fsync. */
  sync(folder: string): Promise<void>;
}

interface Syncing {
  readonly running: Promise<void>;
  next: Promise<void> | undefined;
}

/** Folders below `root`, which exists. */
export function createFolders(root: string): Folders {
  const making = new Map<string, Promise<void>>();
  const syncing = new Map<string, Syncing>();

  const sync = (folder: string): Promise<void> => {
    const current = syncing.get(folder);
    // The fsync that runs may have begun before the caller's entry was made; the one after it covers the caller.
    if (current === undefined) return begin(folder);
    const again = (): Promise<void> => begin(folder);
    return (current.next ??= current.running.then(again, again));
  };
  const begin = (folder: string): Promise<void> => {
    const current: Syncing = { running: fsync(folder), next: undefined };
    syncing.set(folder, current);
    const forget = (): void => {
      if (syncing.get(folder) === current && current.next === undefined) syncing.delete(folder);
    };
    current.running.then(forget, forget);
    return current.running;
  };

  const make = (folder: string): Promise<void> => {
    if (folder === root) return Promise.resolve();
    let made = making.get(folder);
    if (made === undefined) {
      made = create(folder).finally(() => making.delete(folder));
      making.set(folder, made);
    }
    return made;
  };
  const create = async (folder: string): Promise<void> => {
    await make(dirname(folder));
    try {
      await mkdir(folder, { mode: 0o750 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    await sync(dirname(folder));
  };
  return { make, sync };
}

async function fsync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
