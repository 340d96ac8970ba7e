import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

const app = join(import.meta.dirname, '..');
const names = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.graphql'));

test('every document is asked by a page', async () => {
  const paths = (await readdir(app, { recursive: true })).filter(
    (path) => /\.tsx?$/.test(path) && !/node_modules|\.test\./.test(path),
  );
  const sources = await Promise.all(paths.map(async (path) => readFile(join(app, path), 'utf8')));
  const text = sources.join('\n');
  // The document of a report is named by the report.
  const said = (name: string): boolean =>
    text.includes(`'${name}'`) || text.includes(`"${name}"`) || text.includes(`'${name.replace('money-', '')}',`);
  assert.deepEqual(
    names.map((name) => name.replace('.graphql', '')).filter((name) => !said(name)),
    [],
  );
});

test('every fragment that documents may share is shared', async () => {
  const fragments = await readdir(join(import.meta.dirname, 'fragments'));
  const files = [...names, ...fragments.map((name) => join('fragments', name))];
  const texts = await Promise.all(files.map(async (name) => readFile(join(import.meta.dirname, name), 'utf8')));
  const uses = (name: string): number => texts.join('\n').split(`...${name.replace('.graphql', '')}\n`).length - 1;
  assert.deepEqual(
    fragments.filter((name) => uses(name) < 2),
    [],
  );
});
