import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { unopened } from '../unopened.ts';
import { documents } from './documents.ts';
import { openApi } from './openapi.ts';

const versionIn = (document: unknown): string => (document as { info: { version: string } }).info.version;

test('OpenAPI says the version that it is given, which is that of the root package.json', async () => {
  const none = { portal: [], accounting: [], commerce: [], studio: [] };
  assert.equal(versionIn(openApi(none, unopened().addresses, '9.8.7')), '9.8.7');

  const root = new URL('../../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(root, 'utf8')) as { version: string };
  assert.equal(versionIn(JSON.parse((await documents())['openapi.json'] ?? '')), version);
});
