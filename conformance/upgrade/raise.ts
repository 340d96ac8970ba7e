import { execFileSync } from 'node:child_process';
import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// After a release: raises the version of every workspace, which the workspaces name exactly among one another, so that `npm version`
// looks for the new ones in the registry. By hand: `npm run raise-version -- 0.2.0`.

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly workspaces: readonly string[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const next = process.argv[2] ?? '';
const manifestIn = async (path: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(root, path), 'utf8')) as Manifest;

const { version, workspaces } = await manifestIn('package.json');
if (!/^\d{1,4}\.\d{1,4}\.\d{1,4}$/.test(next) || !isAbove(next, version)) {
  console.error(`Give a version above ${version}, such as \`npm run raise-version -- 0.2.0\`.`);
  process.exit(1);
}
const paths = ['package.json'];
for await (const path of glob(
  workspaces.map((pattern) => `${pattern}/package.json`),
  { cwd: root },
))
  paths.push(path);
const names = await Promise.all(paths.map(async (path) => (await manifestIn(path)).name));
for (const path of paths) {
  let text = await readFile(join(root, path), 'utf8');
  for (const name of ['version', ...names]) text = text.replaceAll(`"${name}": "${version}"`, `"${name}": "${next}"`);
  await writeFile(join(root, path), text);
}
const run = (...words: readonly string[]): Buffer => execFileSync('npm', words, { cwd: root, stdio: 'inherit' });
run('install', '--package-lock-only', '--prefer-offline', '--no-audit', '--no-fund');
run('run', '--silent', 'docs');

function isAbove(one: string, other: string): boolean {
  const [mine = [], theirs = []] = [one, other].map((text) => text.split('.').map(Number));
  const at = mine.findIndex((part, place) => part !== theirs[place]);
  return at >= 0 && (mine[at] ?? 0) > (theirs[at] ?? 0);
}
