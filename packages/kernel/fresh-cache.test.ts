import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createFreshCache } from './fresh-cache.ts';

const cacheOf = (clock: { now: number }) =>
  createFreshCache<string>({ milliseconds: 1_000, capacity: 3, missing: 2, now: () => clock.now });

describe('what is kept for a moment', () => {
  test('one load serves everybody who asks at once', async () => {
    const cache = cacheOf({ now: 0 });
    let loads = 0;
    const load = async () => {
      loads += 1;
      return { value: 'a' };
    };
    const all = await Promise.all(Array.from({ length: 50 }, async () => cache.get('k', load)));
    assert.deepEqual(new Set(all), new Set(['a']));
    assert.equal(loads, 1);
  });

  test('age counts from the question and not from the answer', async () => {
    const clock = { now: 0 };
    const cache = cacheOf(clock);
    const load = async () => {
      clock.now += 900;
      return { value: 'a' };
    };
    await cache.get('k', load);
    clock.now += 99;
    assert.equal(cache.get('k', load), 'a');
    clock.now += 1;
    assert.ok(cache.get('k', load) instanceof Promise);
  });

  test('what was being loaded when it was forgotten is kept by nobody', async () => {
    const cache = cacheOf({ now: 0 });
    const old = Promise.withResolvers<{ value: string }>();
    const early = cache.get('k', async () => old.promise);
    cache.forget(() => false);
    const fresh = cache.get('k', async () => ({ value: 'new' }));
    old.resolve({ value: 'old' });
    assert.equal(await early, 'old');
    assert.equal(await fresh, 'new');
    assert.equal(
      cache.get('k', async () => ({ value: 'third' })),
      'new',
    );
  });

  test('a failed load is tried again by the next who asks', async () => {
    const cache = cacheOf({ now: 0 });
    await assert.rejects(async () =>
      cache.get('k', async () => {
        throw new Error('no');
      }),
    );
    assert.equal(await cache.get('k', async () => ({ value: 'a' })), 'a');
  });

  test('neither what is found nor what is missing grows beyond its bound, and strangers push nobody out', async () => {
    const cache = cacheOf({ now: 0 });
    await cache.get('good', async () => ({ value: 'a' }));
    for (let index = 0; index < 500; index += 1) await cache.get(`x${index}`, async () => ({ value: undefined }));
    assert.equal(
      cache.get('good', async () => ({ value: 'b' })),
      'a',
    );
    assert.equal(cache.size, 3);
    for (let index = 0; index < 500; index += 1) await cache.get(`y${index}`, async () => ({ value: 'c' }));
    assert.equal(cache.size, 5);
  });

  test('entries may differ in weight, what is too heavy is not kept, and what is too old goes first', async () => {
    const clock = { now: 0 };
    const cache = createFreshCache<string>({
      milliseconds: 1_000,
      capacity: 10,
      missing: 2,
      now: () => clock.now,
      weigh: (value) => value.length,
    });
    await cache.get('a', async () => ({ value: 'aaaa' }));
    await cache.get('b', async () => ({ value: 'bbbb' }));
    assert.equal(cache.size, 2);
    await cache.get('c', async () => ({ value: 'cccc' }));
    assert.ok(cache.get('a', async () => ({ value: 'again' })) instanceof Promise);
    const heavy = async () => ({ value: 'x'.repeat(11) });
    assert.equal((await cache.get('h', heavy))?.length, 11);
    assert.ok(cache.get('h', heavy) instanceof Promise);
    clock.now = 5_000;
    await cache.get('z', async () => ({ value: 'z' }));
    await cache.get('y', async () => ({ value: 'y' }));
    assert.equal(cache.size, 2, 'what was too old is gone');
  });
});
