import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { lchown, open, readdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Account, bootstrapAccount } from './account.ts';
import { diskFull, EmbeddedError, tellsDiskFull } from './errors.ts';
import { passwordFile } from './password.ts';
import type { Place } from './place.ts';
import { finish, reasons } from './program.ts';
import type { Runtime } from './runtime.ts';
import { asArguments, initialSettings, SUPERUSER } from './settings.ts';
import { newStagingFolder } from './staging.ts';

/**
 * Makes a cluster: UTF-8, ordered by code point whatever the system's locales are, with page checksums. It is on the
 * disk before it appears at its place, so that an interruption at any moment leaves nothing there.
 *
 * @throws EmbeddedError `create_failed`, `disk_full`, `no_account`
 */
export async function createCluster(
  { location, account, link }: Place,
  runtime: Runtime,
  password: string,
  signal?: AbortSignal,
): Promise<void> {
  const staging = newStagingFolder(location);
  try {
    const draft = join(staging, 'cluster');
    const secret = join(staging, 'password');
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(secret, password, { mode: 0o600 });
    const builder = account === undefined ? undefined : bootstrapAccount(account);
    if (builder !== undefined) {
      // root and the server's own group pass, nobody else, not even others of the user that initdb runs as
      chownSync(staging, 0, builder.gid);
      chmodSync(staging, 0o710);
      chownSync(secret, 0, builder.gid);
      chmodSync(secret, 0o640);
      chownSync(draft, builder.uid, builder.gid);
    }
    await initdb(['-D', draft, '--no-sync', ...choices(secret)], builder);
    chmodSync(secret, 0o600);
    await rename(secret, passwordFile(draft));
    if (account !== undefined) await giveTree(draft, account);
    await initdb(['-D', draft, '--sync-only'], account);
    await appear(draft, location, link);
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 3 });
  }

  async function initdb(args: string[], as: Account | undefined): Promise<void> {
    const invocation = { file: runtime.initdb, args, account: as, cwd: staging };
    const { code, output } = await finish(invocation, '', signal);
    if (code === 0) return;
    if (tellsDiskFull(output)) throw diskFull(dirname(location));
    throw new EmbeddedError(
      'create_failed',
      `PostgreSQL could not create its data directory (${reasons(output)}): put that right, or set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

/** The link comes first: a link to a cluster in the making is healed, a cluster that no link finds would be lost. */
async function appear(draft: string, location: string, link: string | undefined): Promise<void> {
  if (link !== undefined) await symlink(location, link);
  try {
    await rename(draft, location);
  } catch (cause) {
    if (link !== undefined) await rm(link);
    throw cause;
  }
  await syncFolder(dirname(location));
  if (link !== undefined) await syncFolder(dirname(link));
}

function choices(secret: string): string[] {
  return [
    `--username=${SUPERUSER}`,
    `--pwfile=${secret}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    ...asArguments(initialSettings),
  ];
}

/** Hands a tree to the account, links themselves and not what they point at. */
export async function giveTree(folder: string, { uid, gid }: Account): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await giveTree(path, { uid, gid });
    else await lchown(path, uid, gid);
  }
  await lchown(folder, uid, gid);
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
