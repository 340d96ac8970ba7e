import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import test from 'node:test';

const console = new URL('../', import.meta.url).pathname;

test('files are chosen by the input that takes a mended file of the same name again, on every screen', async () => {
  const inputs: string[] = [];
  for await (const path of glob('{parts,screens,shell}/**/*.tsx', { cwd: console }))
    if (/type=(?:"file"|\{'file'\})/.test(await readFile(`${console}${path}`, 'utf8'))) inputs.push(path);
  assert.deepEqual(inputs, ['parts/file-input.tsx']);
});
