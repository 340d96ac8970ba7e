import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BoundedMap } from '@steward/kernel';

/** Where the provider keeps what outlives a restart. */
export const recordFolder = (dataDir: string): string => join(dataDir, 'idp', 'records');

/** Named JSON records that survive a restart, each a file of its own, written whole or not at all. */
export interface Records<T> {
  get(id: string): Promise<T | undefined>;
  /** `expiresAt`: milliseconds since the epoch. */
  set(id: string, value: T, expiresAt?: number): Promise<void>;
  delete(id: string): Promise<void>;
  deleteWhere(matches: (value: T) => boolean): Promise<void>;
}

interface Stored<T> {
  readonly value: T;
  readonly expiresAt?: number;
}

/** A folder of records; beyond `capacity` the oldest go, since anyone may register clients here. */
export function fileRecords<T>(folder: string, capacity = 1_000): Records<T> {
  // Ids come from strangers and may be addresses: only their hash becomes a name.
  const pathOf = (id: string): string => join(folder, `${createHash('sha256').update(id).digest('hex')}.json`);
  const read = async (path: string): Promise<T | undefined> => {
    try {
      const { value, expiresAt } = JSON.parse(await readFile(path, 'utf8')) as Stored<T>;
      if (expiresAt === undefined || expiresAt > Date.now()) return value;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      if (!(error instanceof SyntaxError)) throw error;
    }
    await rm(path, { force: true });
    return undefined;
  };
  const paths = async (): Promise<string[]> => {
    const names = await readdir(folder).catch(() => []);
    return names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  };
  const trim = async (): Promise<void> => {
    const all = await paths();
    if (all.length <= capacity) return;
    const dated = await Promise.all(
      all.map(async (path) => ({ path, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 })),
    );
    const oldest = dated.toSorted((a, b) => a.at - b.at).slice(0, all.length - capacity);
    await Promise.all(oldest.map(async ({ path }) => rm(path, { force: true })));
  };
  return {
    get: async (id) => read(pathOf(id)),
    set: async (id, value, expiresAt) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = pathOf(id);
      const draft = `${path}.${crypto.randomUUID()}`;
      await writeFile(draft, JSON.stringify({ value, expiresAt }), { mode: 0o600 });
      await rename(draft, path);
      await trim();
    },
    delete: async (id) => rm(pathOf(id), { force: true }),
    deleteWhere: async (matches) => {
      for (const path of await paths()) {
        const value = await read(path);
        if (value !== undefined && matches(value)) await rm(path, { force: true });
      }
    },
  };
}

/** Records of this process alone: sessions and half-finished logins need not survive it. */
export function memoryRecords<T>(capacity = 5_000): Records<T> {
  const records = new BoundedMap<string, Stored<T>>(capacity);
  return {
    get: async (id) => {
      const found = records.get(id);
      if (found?.expiresAt === undefined || found.expiresAt > Date.now()) return found?.value;
      records.delete(id);
      return undefined;
    },
    set: async (id, value, expiresAt) => {
      records.delete(id);
      records.set(id, { value, ...(expiresAt === undefined ? {} : { expiresAt }) });
    },
    delete: async (id) => {
      records.delete(id);
    },
    deleteWhere: async (matches) => {
      for (const [id, { value }] of records) if (matches(value)) records.delete(id);
    },
  };
}
