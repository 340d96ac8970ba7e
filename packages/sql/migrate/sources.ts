import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface MigrationSource {
  readonly component: string;
  /** Folder of `NNN-name.sql` files, numbered from 001 without a gap. */
  readonly folder: URL;
}

export interface Migration {
  readonly component: string;
  readonly number: number;
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the file, hex. */
  readonly checksum: string;
}

export async function readMigrations(sources: readonly MigrationSource[]): Promise<Migration[]> {
  const perSource = await Promise.all(sources.map(readSource));
  return perSource.flat();
}

async function readSource({ component, folder }: MigrationSource): Promise<Migration[]> {
  const path = fileURLToPath(folder);
  const names = (await readdir(path)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(/^(\d{3})-[a-z0-9-]+\.sql$/.exec(name)?.[1]);
      if (number !== index + 1)
        throw new Error(`migration ${component}/${name}: expected number ${index + 1} and a name like 001-tables.sql`);
      const text = await readFile(join(path, name), 'utf8');
      return { component, number, name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}
