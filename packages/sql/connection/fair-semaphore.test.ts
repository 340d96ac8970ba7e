import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FairSemaphore, TurnTimeout, type Workload } from './fair-semaphore.ts';

const long = 600_000;

/** Who came to a turn, in order; a turn is left by its name. */
function watched(size: number) {
  const turns = new FairSemaphore(size);
  const admitted: string[] = [];
  const workloads = new Map<string, Workload>();
  return {
    turns,
    admitted,
    ask: async (name: string, workload: Workload): Promise<void> => {
      const turn = (async () => {
        await turns.acquire(workload, long);
        admitted.push(name);
        workloads.set(name, workload);
      })();
      // Whoever need not wait is in by the next tick.
      await Promise.race([turn, new Promise(setImmediate)]);
    },
    release: async (name: string) => {
      turns.release(workloads.get(name) ?? {});
      await new Promise(setImmediate);
    },
  };
}

describe('turns at the connections', () => {
  test('a tenant that floods leaves a quarter to others, and they go before what it has waiting', async () => {
    const { ask, release, admitted, turns } = watched(8);
    for (let n = 0; n < 50; n += 1) void ask(`flood-${n}`, { tenant: 'a' });
    await ask('other-1', { tenant: 'b' });
    assert.deepEqual(turns.counts, { held: 7, waiting: 44 });
    assert.equal(admitted.at(-1), 'other-1');
    void ask('other-2', { tenant: 'b' });
    void ask('other-3', { tenant: 'b' });
    await release('flood-0');
    assert.equal(admitted.at(-1), 'other-3');
    await release('other-1');
    assert.equal(admitted.at(-1), 'flood-6');
  });

  test('who holds fewest goes first, and equals take turns', async () => {
    const { ask, release, admitted } = watched(2);
    await ask('a1', { tenant: 'a' });
    await ask('a2', { tenant: 'a' });
    for (const name of ['a3', 'a4']) void ask(name, { tenant: 'a' });
    for (const name of ['b1', 'b2']) void ask(name, { tenant: 'b' });
    void ask('c1', { tenant: 'c' });
    await release('a1');
    await release('b1');
    await release('c1');
    await release('b2');
    assert.deepEqual(admitted.slice(2), ['b1', 'c1', 'b2', 'a3']);
  });

  test('heavy work holds half, one tenant’s a quarter, and never stands in the way of light work', async () => {
    const { ask, admitted, turns } = watched(8);
    for (const tenant of ['a', 'b', 'c'])
      for (let n = 0; n < 4; n += 1) void ask(`${tenant}${n}`, { tenant, heavy: true });
    await ask('light', { tenant: 'a' });
    assert.deepEqual(admitted, ['a0', 'a1', 'b0', 'b1', 'light']);
    assert.deepEqual(turns.counts, { held: 5, waiting: 8 });
  });

  test('a turn that does not come is said so, and nothing of it is left', async () => {
    const { ask, release, turns, admitted } = watched(1);
    await ask('first', { tenant: 'a' });
    await assert.rejects(turns.acquire({ tenant: 'b' }, 1), TurnTimeout);
    assert.deepEqual(turns.counts, { held: 1, waiting: 0 });
    void ask('second', { tenant: 'c' });
    await release('first');
    assert.deepEqual(admitted, ['first', 'second']);
  });
});
