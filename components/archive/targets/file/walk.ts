import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isFileName, isPath } from '../path.ts';
import { codeOf } from './faults.ts';

/** Paths of plain files, or of what is in their place, below `root` that begin with `prefix`, in the order of their bytes; it has one folder's names in memory for each level. */
export async function* walk(root: string, prefix: string, folder = ''): AsyncGenerator<string> {
  for (const { path, isFolder } of await entries(root, folder)) {
    if (isFolder && (path.startsWith(prefix) || prefix.startsWith(path))) yield* walk(root, prefix, path);
    else if (!isFolder && path.startsWith(prefix)) yield path;
  }
}

/** A folder's path ends in `/`, which sorts it among its neighbours as the paths inside it sort. */
async function entries(root: string, folder: string): Promise<{ path: string; isFolder: boolean }[]> {
  let found;
  try {
    found = await readdir(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
  return found
    .filter((entry) => isPath(folder + entry.name))
    .map((entry) => ({ name: folder + entry.name, isFolder: entry.isDirectory() && !isFileName(entry.name) }))
    .map(({ name, isFolder }) => ({ path: isFolder ? `${name}/` : name, isFolder }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
