import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isId, newId } from './ids.ts';

test('an id is a UUIDv7: its time in front, version and variant in place', () => {
  const before = Date.now();
  const id = newId();
  const after = Date.now();
  assert.ok(isId(id));
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  assert.ok(before <= time && time <= after);
});

test('no two ids are alike, and every random digit takes every value it may', () => {
  const ids = Array.from({ length: 100_000 }, newId);
  assert.equal(new Set(ids).size, ids.length);
  for (let at = 15; at < 36; at += 1) {
    if (at === 18 || at === 23) continue;
    assert.equal(new Set(ids.map((id) => id[at])).size, at === 19 ? 4 : 16, `digit ${at}`);
  }
});
