import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { saying } from '../data/activity.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { ja } from './ja.ts';

test('every event that is recorded has words in each language, and none has words in vain', async () => {
  const reference = await readFile(join(import.meta.dirname, '../../../docs/reference/events.md'), 'utf8');
  const [, log = ''] = reference.split('\n## In the audit log\n');
  const [recorded = ''] = log.split('\n## ');
  const types = [...recorded.matchAll(/^\| `([a-z0-9_.]+)`/gm)].map(([, type = '']) => type);
  assert.ok(types.length > 250, `only ${types.length} types`);
  const ways = types.flatMap((type) => [
    saying({ type, payload: {}, principal_chain: [{ principal_type: 'user' }] }),
    saying({ type, payload: {}, principal_chain: [{ principal_type: 'user' }, { principal_type: 'agent' }] }),
  ]);
  for (const { events: words } of [en, de, es, ja]) {
    assert.deepEqual(Object.keys(words).toSorted(), [...new Set(ways)].toSorted());
    for (const [type, said] of Object.entries(words))
      assert.ok(said.trim() !== '' && !said.includes(type) && !/[a-z]\.[a-z]/.test(said), `${type}: ${said}`);
  }
});

test('Activity is called the same in the navigation, as a page and on the way back to it', () => {
  for (const [{ shell, activity, home }, word] of [
    [en, /^activity$/i],
    [de, /^aktivität$/i],
    [es, /^actividad$/i],
    [ja, /^履歴$/],
  ] as const) {
    assert.match(shell.activity, word);
    assert.equal(activity.title, shell.activity);
    for (const said of [activity.back, home.wholeLog])
      assert.ok(said.toLowerCase().includes(shell.activity.toLowerCase()), said);
  }
});
