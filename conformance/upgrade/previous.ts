import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** The code of a version, in a folder of its own with its own dependencies, gone when disposed. */
export interface Previous extends AsyncDisposable {
  /** The tag, or what else of git names it. */
  readonly name: string;
  /** A file of that version. */
  file(path: string): string;
}

/** @throws RangeError where there is none, or where it could not tell that this tree's schema is newer than its own */
export async function checkOutPrevious(asked: string | undefined): Promise<Previous> {
  const name = asked ?? (await newestTag());
  const theirs = versionIn(await packageAt(name));
  const own = versionIn(await readFile(join(root, 'package.json'), 'utf8'));
  if (theirs === own && (await git('diff', '--name-only', name, '--', '*.sql')) !== '')
    throw new RangeError(
      `${name} has another schema than this tree and is ${theirs} as well: raise the version of every workspace first, by which ${name} knows that this schema is newer.`,
    );
  const parent = await mkdtemp(join(tmpdir(), 'steward-upgrade-'));
  const folder = join(parent, 'steward');
  const dispose = async (): Promise<void> => {
    await git('worktree', 'remove', '--force', folder);
    await rm(parent, { recursive: true });
  };
  await git('worktree', 'add', '--detach', folder, name);
  try {
    const npm = spawn('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
    const [code] = (await once(npm, 'exit')) as [number | null];
    if (code !== 0) throw new RangeError(`npm ci of ${name} ended with ${code}.`);
  } catch (error) {
    await dispose();
    throw error;
  }
  return { name, file: (path) => join(folder, path), [Symbol.asyncDispose]: dispose };
}

async function newestTag(): Promise<string> {
  const tags = (await git('tag', '--list', '--sort=-version:refname')).split('\n');
  const newest = tags.find((name) => /^v?\d+\.\d+\.\d+$/.test(name));
  if (newest === undefined)
    throw new RangeError(
      'No release is tagged here (as 0.1.0 or v0.1.0), so there is no version to upgrade from: fetch the tags, or name a commit with `npm run test:upgrade -- <commit>`.',
    );
  return newest;
}

const packageAt = async (name: string): Promise<string> =>
  git('show', `${name}:package.json`).catch((error: unknown) => {
    throw new RangeError(`git knows no version of this code as ${name}: name a tag or a commit.`, { cause: error });
  });

const versionIn = (text: string): string => (JSON.parse(text) as { version: string }).version;

const git = async (...words: string[]): Promise<string> => (await run('git', words, { cwd: root })).stdout;
