import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { happened, saying, sentence } from './activity.ts';

test('every event that is declared is said in words where nobody wrote better ones', () => {
  const reference = readFileSync(join(import.meta.dirname, '../../../docs/reference/events.md'), 'utf8');
  const types = [...reference.matchAll(/^\| `([a-z0-9_]+(?:\.[a-z0-9_]+)+)` \|/gm)].map(([, type = '']) => type);
  assert.ok(types.length > 100, String(types.length));
  const raw = types.filter((type) => !/^[A-Z][a-z0-9]*(?: [a-z0-9]+)+$/.test(sentence(happened(type))));
  assert.deepEqual(raw, []);
  assert.equal(sentence(happened('accounting.statement.imported')), 'Statement imported');
});

test('an event of an action is said by who asked and by what decided', () => {
  const chain = (...types: readonly string[]) => types.map((type) => ({ principal_type: type }));
  for (const [name, principals, payload, said] of [
    ['requested', ['user'], {}, ' by a person'],
    ['requested', ['user', 'agent'], {}, ''],
    ['approved', ['user'], {}, ''],
    ['approved', ['user'], { rule_id: 'r' }, ' by a rule'],
    ['approved', ['user', 'agent'], undefined, ' by a rule'],
    ['executed', ['user'], {}, ''],
  ] as const) {
    const type = `approvals.action.${name}`;
    const event = { type, principal_chain: chain(...principals), ...(payload === undefined ? {} : { payload }) };
    assert.equal(saying(event), `${type}${said}`);
  }
});
