import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the app. */
export const app = join(import.meta.dirname, '..');
const root = join(app, '..', '..');

/** Under which addresses the built files are served. */
export const base = '/console/';

/** What was built, a folder a state of the sources. */
export const cache = join(root, 'node_modules', '.cache', 'console');

const isSource = (path: string): boolean =>
  /\.(?:tsx?|css|html|svg|json|graphql)$/.test(path) &&
  !/\.test\.tsx?$/.test(path) &&
  !/^(?:fixtures|node_modules|dist)$/.test(path.split(sep)[0] ?? '');

/** What the pages are made of that stands elsewhere in the workspace, so that the lock file does not tell its state. */
const shared = [
  fileURLToPath(import.meta.resolve('@steward/approvals/reading')),
  join(root, 'packages', 'storefront', 'dist', 'storefront.js'),
];

/** Names the state of everything that the pages are made of: sources, and which dependencies are installed. */
export async function stateOfSources(): Promise<string> {
  const paths = (await readdir(app, { recursive: true })).filter(isSource).toSorted();
  const hash = createHash('sha256');
  for (const path of paths) {
    const bytes = await readFile(join(app, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  for (const path of [...shared, join(root, 'package-lock.json')]) hash.update(await readFile(path));
  return hash.digest('hex').slice(0, 32);
}
