import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBytes, sealBytes } from './sealing.ts';

const key = Buffer.alloc(32, 7);
const plain = Buffer.from('a card of nobody');

test('what was sealed opens with its key, at its seat, and is another text each time', () => {
  const [one, other] = [sealBytes(key, 'tenant/a', plain), sealBytes(key, 'tenant/a', plain)];
  assert.notDeepEqual(one, other);
  for (const sealed of [one, other]) assert.deepEqual(openBytes(key, 'tenant/a', sealed), plain);
  assert.deepEqual(openBytes(key, '', sealBytes(key, '', Buffer.of())), Buffer.of());
});

test('opens nothing with another key, at another seat, or of which a bit or the end differs', () => {
  const sealed = sealBytes(key, 'tenant/a', plain);
  assert.equal(openBytes(Buffer.alloc(32, 8), 'tenant/a', sealed), undefined);
  for (const seat of ['tenant/b', 'tenant/', '']) assert.equal(openBytes(key, seat, sealed), undefined);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.equal(openBytes(key, 'tenant/a', changed), undefined, `byte ${at}`);
    assert.equal(openBytes(key, 'tenant/a', sealed.subarray(0, at)), undefined, `first ${at} bytes`);
  }
});
