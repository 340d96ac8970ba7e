import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createTurns } from './turns.ts';

describe('turns', () => {
  /** Lets them all ask at once; each takes as long as it says, by a clock of its own. */
  const run = async (asked: readonly (readonly [of: string, takes: number])[]): Promise<string> => {
    let clock = 0;
    const turns = createTurns({ now: () => clock });
    const began: string[] = [];
    await Promise.all(
      asked.map(async ([of, takes]) => {
        const end = await turns.take(of);
        began.push(of);
        await setImmediate();
        clock += takes;
        end?.();
      }),
    );
    return began.join('');
  };

  test('are of those whose turns took the least time, however many the others ask for', async () => {
    const long = ['a', 1_000] as const;
    const short = ['b', 100] as const;
    assert.equal(
      await run([long, long, long, ...Array.from({ length: 12 }, () => short)]),
      `a${'b'.repeat(10)}abba`,
      'b has ten turns for one of a, and more once it waits for none',
    );
    assert.equal(await run([long, long, ['c', 1_000], ['d', 1_000]]), 'acda');
    assert.equal(await run([short, short, short]), 'bbb', 'of one, in the order in which they came');
  });

  test('who does not ask saves up no time', async () => {
    let clock = 0;
    const turns = createTurns({ now: () => clock });
    for (let round = 0; round < 5; round += 1) {
      const end = await turns.take('a');
      clock += 1_000;
      end?.();
    }
    const began: string[] = [];
    const first = await turns.take('a');
    const all = ['b', 'a', 'b', 'a', 'b'].map(async (of) => {
      const end = await turns.take(of);
      began.push(of);
      clock += 1_000;
      end?.();
    });
    await setImmediate();
    clock += 1_000;
    first?.();
    await Promise.all(all);
    assert.equal(began.join(''), 'bbaba', 'b has not the five turns that a had before');
  });

  test('are not waited for by whoever has gone, beyond a deadline, or by more than may wait', async () => {
    const turns = createTurns({ most: 2 });
    const end = await turns.take('a');
    const left = new AbortController();
    const gone = turns.take('a', { left: left.signal });
    const late = turns.take('a', { deadline: performance.now() + 5 });
    assert.equal(await turns.take('a'), undefined, 'two wait');
    assert.equal(await late, undefined);
    left.abort(new Error('gone'));
    await assert.rejects(gone, /gone/);
    await assert.rejects(turns.take('a', { left: left.signal }), /gone/);
    const next = turns.take('b', { left: new AbortController().signal });
    end?.();
    (await next)?.();
    assert.ok(await turns.take('a', { deadline: 0 }), 'a turn is free');
  });
});
