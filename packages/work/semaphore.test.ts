import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createSemaphore } from './semaphore.ts';

describe('a semaphore', () => {
  test('gives so many turns at once, and the next to whoever waits longest', async () => {
    const semaphore = createSemaphore(2);
    const entered: number[] = [];
    const all = [1, 2, 3, 4, 5].map(async (one) => {
      assert.equal(await semaphore.enter(), true);
      entered.push(one);
    });
    await setImmediate();
    assert.deepEqual(entered, [1, 2]);
    semaphore.leave();
    await setImmediate();
    assert.deepEqual(entered, [1, 2, 3]);
    semaphore.leave();
    semaphore.leave();
    await Promise.all(all);
    assert.deepEqual(entered, [1, 2, 3, 4, 5]);
  });

  test('does not keep anybody waiting beyond the deadline, whose turn then goes to the next', async () => {
    const semaphore = createSemaphore(1);
    await semaphore.enter();
    const late = semaphore.enter(performance.now() + 5);
    const patient = semaphore.enter();
    assert.equal(await late, false);
    semaphore.leave();
    assert.equal(await patient, true);
    semaphore.leave();
    assert.equal(await semaphore.enter(0), true, 'a turn is free');
  });
});
