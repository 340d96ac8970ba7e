import { createHash } from 'node:crypto';
import { constants, existsSync, mkdtempSync, statSync } from 'node:fs';
import { chmod, copyFile, link, mkdir, open, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { sharedFolder } from './elsewhere.ts';
import { errorCode } from './errors.ts';
import type { LibraryLink } from './library-links.ts';
import { canPass } from './reach.ts';

interface Source {
  readonly native: string;
  readonly links: readonly LibraryLink[];
  readonly version: string;
  readonly dataDir: string;
  readonly account: Account | undefined;
  /** the account can read the package, only the links are missing */
  readonly reachable: boolean;
}

/**
 * A second tree of the packaged programs, with its library links, at a place the account can reach. Named by version
 * and origin, so it is made once. It costs no space where the files can be linked.
 */
export async function mirrorFor(source: Source): Promise<string> {
  const { native, version, dataDir, account } = source;
  const folder = account === undefined || canPass(dataDir, account) ? dataDir : sharedFolder(account);
  const origin = createHash('sha256').update(`${native}\0${source.reachable}`).digest('hex').slice(0, 12);
  const tree = join(folder, `postgresql-${version}-${origin}`);
  if (existsSync(tree)) return tree;
  const draft = mkdtempSync(`${tree}.`);
  try {
    await fill(draft, source);
    await chmod(draft, 0o755);
    await rename(draft, tree);
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    // another process that starts at the same time has made it
    if (!existsSync(tree)) throw cause;
  }
  return tree;
}

async function fill(draft: string, { native, links, reachable }: Source): Promise<void> {
  // PostgreSQL finds its share folder and libraries beside its real program file, so that one is never a link
  await transfer(join(native, 'bin'), join(draft, 'bin'));
  await makeFolder(join(draft, 'lib'));
  if (reachable) {
    await symlink(join(native, 'share'), join(draft, 'share'));
    for (const name of await readdir(join(native, 'lib'))) {
      await symlink(join(native, 'lib', name), join(draft, 'lib', name));
    }
  } else {
    await transfer(join(native, 'share'), join(draft, 'share'));
    await transfer(join(native, 'lib'), join(draft, 'lib'));
  }
  for (const { path, target } of links) {
    const name = path.slice(join(native, 'lib').length + 1);
    await symlink(target, join(draft, 'lib', name)).catch(unlessExists);
  }
}

async function transfer(from: string, to: string): Promise<void> {
  await makeFolder(to);
  // together: the file system flushes many files at the cost of one
  await Promise.all(
    (await readdir(from, { withFileTypes: true })).map(async (entry) => {
      const [source, copy] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) await transfer(source, copy);
      else if (entry.isFile() && !entry.name.endsWith('.a')) await linkOrCopy(source, copy);
    }),
  );
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o755);
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  const { mode } = statSync(from);
  const wanted = (mode & 0o111) === 0 ? 0o644 : 0o755;
  if ((mode & wanted) === wanted && (await linked(from, to))) return;
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  const copy = await open(to, 'r+');
  try {
    await copy.chmod(wanted);
    await copy.sync();
  } finally {
    await copy.close();
  }
}

/** Another disk, or a system that guards hard links to the files of others, leaves the copy. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch {
    return false;
  }
}

function unlessExists(cause: unknown): void {
  if (errorCode(cause) !== 'EEXIST') throw cause;
}
