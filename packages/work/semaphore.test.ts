import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createSemaphore } from './semaphore.ts';

describe('a semaphore', () => {
  test('gives so many turns at once, and the next to whoever waits longest', async () => {
    const semaphore = createSemaphore(2);
    const entered: number[] = [];
    const all = [1, 2, 3, 4, 5].map(async (one) => {
      assert.equal(await semaphore.acquire(), true);
      entered.push(one);
    });
    await setImmediate();
    assert.deepEqual(entered, [1, 2]);
    semaphore.release();
    await setImmediate();
    assert.deepEqual(entered, [1, 2, 3]);
    semaphore.release();
    semaphore.release();
    await Promise.all(all);
    assert.deepEqual(entered, [1, 2, 3, 4, 5]);
  });

  test('does not keep anybody waiting beyond the deadline, whose turn then goes to the next', async () => {
    const semaphore = createSemaphore(1);
    await semaphore.acquire();
    const late = semaphore.acquire(performance.now() + 5);
    const patient = semaphore.acquire();
    assert.equal(await late, false);
    semaphore.release();
    assert.equal(await patient, true);
    semaphore.release();
    assert.equal(await semaphore.acquire(0), true, 'a turn is free');
  });
});
