import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errorCode } from './errors.ts';

export interface LibraryLink {
  /** absolute path of the link */
  readonly path: string;
  /** the file beside it that it names */
  readonly target: string;
}

/** The links that npm cannot carry in a package; the package lists them in pg-symlinks.json. None on Windows. */
export function libraryLinks(native: string): LibraryLink[] {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const entries: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  return entries.map(({ source, target }) => ({
    path: join(native, '..', target),
    target: basename(source),
  }));
}

/** Makes the missing ones; false where the folder is not ours to write. Safe to run twice at the same time. */
export function makeLinks(links: readonly LibraryLink[]): boolean {
  for (const { path, target } of links) {
    if (existsSync(path)) continue;
    try {
      symlinkSync(target, path);
    } catch (cause) {
      const code = errorCode(cause);
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
      if (code !== 'EEXIST') throw cause;
    }
  }
  return true;
}
