import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** The code of the newest tag, in a folder of its own with its own dependencies, gone when disposed. */
export interface Previous extends AsyncDisposable {
  readonly tag: string;
  /** A file of that version. */
  file(path: string): string;
}

/** @returns undefined where nothing was tagged yet */
export async function checkOutPrevious(): Promise<Previous | undefined> {
  const { stdout } = await run('git', ['tag', '--list', '--sort=-version:refname'], { cwd: root });
  const tag = stdout.split('\n').find((name) => /^v?\d+\.\d+\.\d+$/.test(name));
  if (tag === undefined) return undefined;
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  if (tag.replace('v', '') === version)
    throw new RangeError(
      `${tag} is tagged and this tree is ${version} as well: raise the version of every workspace first, by which ${tag} knows that a schema is newer.`,
    );
  const parent = await mkdtemp(join(tmpdir(), 'steward-upgrade-'));
  const folder = join(parent, tag);
  const dispose = async (): Promise<void> => {
    await run('git', ['worktree', 'remove', '--force', folder], { cwd: root });
    await rm(parent, { recursive: true });
  };
  await run('git', ['worktree', 'add', '--detach', folder, tag], { cwd: root });
  try {
    const npm = spawn('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
    const [code] = (await once(npm, 'exit')) as [number | null];
    if (code !== 0) throw new RangeError(`npm ci of ${tag} ended with ${code}.`);
  } catch (error) {
    await dispose();
    throw error;
  }
  return { tag, file: (path) => join(folder, path), [Symbol.asyncDispose]: dispose };
}
