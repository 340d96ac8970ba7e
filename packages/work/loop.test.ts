import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { backoff } from './backoff.ts';
import { createLoop, type LoopOptions } from './loop.ts';

const soon = { first: 1, longest: 1 };
const never = 3_600_000;

/** Rounds that end when they are told to: what each answers, or the Error that it throws. */
function openRounds(options: Partial<LoopOptions> = {}) {
  const begun: PromiseWithResolvers<number>[] = [];
  const signals: AbortSignal[] = [];
  const failures: [unknown, number][] = [];
  const loop = createLoop({
    round: async (stopping) => {
      signals.push(stopping);
      const round = Promise.withResolvers<number>();
      begun.push(round);
      return round.promise;
    },
    failed: (error, times) => failures.push([error, times]),
    retry: soon,
    ...options,
  });
  return {
    loop,
    begun,
    signals,
    failures,
    /** Resolves once the round with this number, from 1 on, has begun. */
    nth: async (number: number): Promise<PromiseWithResolvers<number>> => {
      for (;;) {
        const round = begun[number - 1];
        if (round !== undefined) return round;
        await pause();
      }
    },
  };
}

describe('a loop', () => {
  test('begins the next round when the last one is done and its rest is over, never two at once', async () => {
    const { loop, begun, nth } = openRounds();
    loop.start();
    loop.start();
    loop.wake();
    await pause();
    assert.equal(begun.length, 1, 'the first is under way');
    (await nth(1)).resolve(never);
    // It was woken meanwhile.
    (await nth(2)).resolve(0);
    (await nth(3)).resolve(2);
    (await nth(4)).resolve(never);
    await pause();
    assert.equal(begun.length, 4, 'it rests');
    await loop.stop();
  });

  test('is woken from its rest, and not by a rest that would end later', async (t) => {
    const warnings: Error[] = [];
    const heard = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', heard);
    t.after(() => process.off('warning', heard));
    const { loop, begun, nth } = openRounds();
    loop.start();
    (await nth(1)).resolve(never);
    await pause();
    loop.wake(never * 2);
    await pause();
    assert.equal(begun.length, 1);
    loop.wake(2);
    (await nth(2)).resolve(Infinity);
    await pause();
    assert.equal(begun.length, 2);
    assert.deepEqual(warnings, [], 'no rest is too long for a timer');
    loop.wake();
    (await nth(3)).resolve(never);
    await loop.stop();
  });

  test('goes on after rounds that failed, counts them in a row, and says that it recovered', async () => {
    let recovered = 0;
    const { loop, failures, nth } = openRounds({ recovered: () => (recovered += 1) });
    const errors = [new Error('one'), new Error('two'), new Error('three')];
    loop.start();
    (await nth(1)).reject(errors[0]);
    (await nth(2)).reject(errors[1]);
    (await nth(3)).resolve(0);
    (await nth(4)).resolve(0);
    assert.equal(recovered, 1);
    (await nth(5)).reject(errors[2]);
    (await nth(6)).resolve(never);
    await loop.stop();
    assert.deepEqual(failures, [
      [errors[0], 1],
      [errors[1], 2],
      [errors[2], 1],
    ]);
    assert.equal(recovered, 2);
  });

  test('is stopped once the round under way is done, and begins no other', async () => {
    const { loop, begun, signals, nth } = openRounds();
    loop.start();
    const round = await nth(1);
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    assert.equal(signals[0]?.aborted, true);
    await pause();
    assert.equal(stopped, false);
    round.resolve(0);
    await stopping;
    loop.wake();
    await pause();
    assert.equal(begun.length, 1);
  });

  test('does not wait longer than its patience for a round that does not end', async () => {
    const { loop, nth } = openRounds({ patience: 5 });
    loop.start();
    await nth(1);
    await loop.stop();
  });

  test('is stopped out of its rest, and where it was never started', async () => {
    const { loop, nth } = openRounds();
    loop.start();
    (await nth(1)).resolve(never);
    await pause();
    await loop.stop();
    await openRounds().loop.stop();
  });
});

test('waits double with each try up to the longest, a quarter more or less', () => {
  for (const [tries, wait] of [
    [0, 100],
    [1, 100],
    [2, 200],
    [4, 800],
    [5, 1_000],
    [5_000, 1_000],
  ] as const) {
    for (let round = 0; round < 20; round += 1) {
      const found = backoff({ first: 100, longest: 1_000 }, tries);
      assert.ok(found >= wait * 0.75 && found <= wait * 1.25, `${found} after ${tries} tries`);
    }
  }
});

/** Whatever can happen without a timer has happened. */
async function pause(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
}
