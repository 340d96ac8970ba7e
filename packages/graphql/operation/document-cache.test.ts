import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DocumentCache } from './document-cache.ts';

describe('the cache of documents', () => {
  it('never holds more entries than allowed, and lets the least recently used go first', () => {
    const cache = new DocumentCache<number>(3, 1_000);
    for (const [index, text] of ['a', 'b', 'c'].entries()) cache.set(text, index, 1);
    assert.equal(cache.get('a'), 0);
    cache.set('d', 3, 1);
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((text) => cache.get(text)),
      [0, undefined, 2, 3],
    );
    assert.equal(cache.size, 3);
  });
  it('never holds more bytes than allowed, however many entries that takes', () => {
    const cache = new DocumentCache<number>(1_000, 800);
    for (let index = 0; index < 1_000; index += 1) {
      cache.set(`q${index}`, index, (index % 100) + 1);
      assert.ok(cache.bytes <= 800);
    }
    assert.ok(cache.size > 5);
  });
  it('does not give up everything else for one giant', () => {
    const cache = new DocumentCache<number>(10, 800);
    cache.set('small', 1, 10);
    cache.set('giant', 2, 500);
    assert.deepEqual([cache.get('small'), cache.get('giant')], [1, undefined]);
  });
});
