import { chmodSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Account } from './account.ts';
import { isBeingCreated } from './staging.ts';
import { EmbeddedError } from './errors.ts';
import { newHome } from './home.ts';
import { canPass } from './reach.ts';

/** Creates the data folder if need be and answers its real path. */
export async function openDataDir(path: string): Promise<string> {
  const first = await mkdir(path, { recursive: true });
  // passable, not listable: the account that PostgreSQL runs under has to get to its cluster
  if (first !== undefined && process.getuid?.() === 0) chmodSync(path, 0o711);
  return realpathSync(path);
}

/** Where the cluster lives, or will: `link` has to point there before the cluster appears. */
export interface Place {
  readonly location: string;
  readonly exists: boolean;
  readonly account: Account | undefined;
  readonly link?: string;
}

/**
 * Finds where the cluster lives: `postgres` in the data folder, a link there followed; for a new one, a place that its
 * account can pass to. The caller holds the data folder's lock.
 *
 * @throws EmbeddedError `data_dir_unusable`
 */
export async function findPlace(
  dataDir: string,
  chooseAccount: (cluster: string) => Account | undefined,
  log: (line: string) => void,
): Promise<Place> {
  const inside = join(dataDir, 'postgres');
  const location = (await followLink(inside)) ?? inside;
  const exists = isCluster(location);
  const account = chooseAccount(location);
  if (account === undefined || canPass(dirname(location), account)) return { location, exists, account };
  if (exists || location !== inside) {
    throw new EmbeddedError(
      'data_dir_unusable',
      `User ${account.uid}, under which PostgreSQL runs, cannot pass to ${location}: move that directory to a place it can pass to, and leave a symbolic link to it at ${inside}.`,
    );
  }
  return { location: join(await newHome(inside, account, log), 'postgres'), exists, account, link: inside };
}

async function followLink(inside: string): Promise<string | undefined> {
  if (!lstatSync(inside, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  if (statSync(inside, { throwIfNoEntry: false }) !== undefined) return realpathSync(inside);
  const target = resolve(dirname(inside), readlinkSync(inside));
  if (!isBeingCreated(target)) {
    throw new EmbeddedError(
      'data_dir_unusable',
      `The database of ${dirname(inside)} should be in ${target}, which is missing: bring that directory back, or delete the link ${inside} to begin with an empty database.`,
    );
  }
  await rm(inside);
  return undefined;
}

function isCluster(location: string): boolean {
  const stat = statSync(location, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  const entries = stat.isDirectory() ? readdirSync(location) : undefined;
  if (entries?.includes('PG_VERSION')) return true;
  if (entries?.length === 0) return false;
  throw new EmbeddedError(
    'data_dir_unusable',
    `${location} is in the way, it is no PostgreSQL data directory: move it away, or set DATA_DIR to another folder.`,
  );
}
