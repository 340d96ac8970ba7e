import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface MigrationSource {
  readonly component: string;
  /** Folder of `NNN-name.sql` files, numbered from 001 without a gap; the functions are in `functions/` beside it. */
  readonly folder: URL;
}

/** One file of `functions/`: what it says is true after each run of it, however often it runs. */
export interface FunctionFile {
  readonly component: string;
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the file, hex. */
  readonly checksum: string;
}

export interface Migration extends FunctionFile {
  readonly number: number;
}

export interface Schema {
  /** Of all workspaces: an older process leaves functions alone. */
  readonly release: string;
  readonly migrations: readonly Migration[];
  readonly functions: readonly FunctionFile[];
}

/** In the order in which they are applied: all migrations, then all functions. Read one after the other: together costs twice the work. */
export function readSchema(sources: readonly MigrationSource[]): Schema {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return {
    release: version,
    migrations: sources.flatMap(readMigrations),
    functions: sources.flatMap(({ component, folder }) => readFolder(component, new URL('../functions/', folder))),
  };
}

function readMigrations({ component, folder }: MigrationSource): Migration[] {
  return readFolder(component, folder).map((file, index) => {
    const number = Number(/^(\d{3})-[a-z0-9-]+\.sql$/.exec(file.name)?.[1]);
    if (number !== index + 1)
      throw new Error(
        `migration ${component}/${file.name}: expected number ${index + 1} and a name like 001-tables.sql`,
      );
    return { ...file, number };
  });
}

function readFolder(component: string, url: URL): FunctionFile[] {
  const folder = fileURLToPath(url);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.toSorted().map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return { component, name, text, checksum: hash('sha256', text) };
  });
}

/** `{{app}}` is the application role; `{{job:sealer}}` a NOLOGIN role for one kind of cross-tenant work. */
export const placeholder = /\{\{(app|job:([a-z_]+))\}\}/g;
const handedOver = /\balter function ([a-z_]+)\.([a-z_]+)\([^;]*\bowner to \{\{job:([a-z_]+)\}\}/g;

/** Jobs whose roles the files name. */
export const jobsOf = (files: readonly FunctionFile[]): string[] => [
  ...new Set(files.flatMap(({ text }) => [...text.matchAll(placeholder)].flatMap(([, , job]) => job ?? []))),
];

export interface HandedOver {
  readonly schema: string;
  readonly name: string;
  readonly job: string;
}

/** The functions of a file that a job owns. */
export const handedOverBy = ({ text }: FunctionFile): HandedOver[] =>
  [...text.matchAll(handedOver)].map(([, schema = '', name = '', job = '']) => ({ schema, name, job }));
