import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documents } from '../apps/server/reference/documents.ts';

// Writes docs/reference from the code. With --check it writes nothing and fails where a page is not current.

const folder = join(import.meta.dirname, 'reference');
const check = process.argv.includes('--check');
await mkdir(folder, { recursive: true });
let stale = 0;
for (const [name, text] of Object.entries(await documents())) {
  const path = join(folder, name);
  const present = await readFile(path, 'utf8').catch(() => '');
  if (present === text) continue;
  stale += 1;
  if (check) console.error(`docs/reference/${name} is not current: run \`npm run docs\` and commit it.`);
  else await writeFile(path, text);
}
console.log(
  check
    ? stale === 0
      ? 'docs/reference is current.'
      : `${stale} pages are not current.`
    : `docs/reference: ${stale} pages written.`,
);
if (check && stale > 0) process.exitCode = 1;
