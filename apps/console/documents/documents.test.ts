import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSchema, parse, validate } from 'graphql';

const app = join(import.meta.dirname, '..');
const names = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.graphql'));

test('every document is one that the schema knows', async () => {
  const schema = buildSchema(await readFile(join(app, '..', '..', 'docs', 'reference', 'schema.graphql'), 'utf8'));
  for (const name of names) {
    const faults = validate(schema, parse(await readFile(join(import.meta.dirname, name), 'utf8')));
    assert.deepEqual(
      faults.map(({ message }) => message),
      [],
      name,
    );
  }
});

test('every document is asked by a page', async () => {
  const paths = (await readdir(app, { recursive: true })).filter(
    (path) => /\.tsx?$/.test(path) && !/node_modules|\.test\./.test(path),
  );
  const sources = await Promise.all(paths.map(async (path) => readFile(join(app, path), 'utf8')));
  const text = sources.join('\n');
  // The document of a report is named by the report.
  const said = (name: string): boolean =>
    text.includes(`'${name}'`) || text.includes(`'${name.replace('money-', '')}',`);
  assert.deepEqual(
    names.map((name) => name.replace('.graphql', '')).filter((name) => !said(name)),
    [],
  );
});
