import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Gate, NoTurn, type Share } from './gate.ts';

const long = 600_000;

/** Who came to a turn, in order; a turn is left by its name. */
function watched(size: number) {
  const gate = new Gate(size);
  const admitted: string[] = [];
  const turns = new Map<string, Share>();
  return {
    gate,
    admitted,
    ask: async (name: string, share: Share): Promise<void> => {
      const turn = (async () => {
        await gate.enter(share, long);
        admitted.push(name);
        turns.set(name, share);
      })();
      // Whoever need not wait is in by the next tick.
      await Promise.race([turn, new Promise(setImmediate)]);
    },
    leave: async (name: string) => {
      gate.leave(turns.get(name) ?? {});
      await new Promise(setImmediate);
    },
  };
}

describe('turns at the connections', () => {
  test('a tenant that floods leaves a quarter to others, and they go before what it has waiting', async () => {
    const { ask, leave, admitted, gate } = watched(8);
    for (let n = 0; n < 50; n += 1) void ask(`flood-${n}`, { tenant: 'a' });
    await ask('other-1', { tenant: 'b' });
    assert.deepEqual(gate.counts, { held: 7, waiting: 44 });
    assert.equal(admitted.at(-1), 'other-1');
    void ask('other-2', { tenant: 'b' });
    void ask('other-3', { tenant: 'b' });
    await leave('flood-0');
    assert.equal(admitted.at(-1), 'other-3');
    await leave('other-1');
    assert.equal(admitted.at(-1), 'flood-6');
  });

  test('who holds fewest goes first, and equals take turns', async () => {
    const { ask, leave, admitted } = watched(2);
    await ask('a1', { tenant: 'a' });
    await ask('a2', { tenant: 'a' });
    for (const name of ['a3', 'a4']) void ask(name, { tenant: 'a' });
    for (const name of ['b1', 'b2']) void ask(name, { tenant: 'b' });
    void ask('c1', { tenant: 'c' });
    await leave('a1');
    await leave('b1');
    await leave('c1');
    await leave('b2');
    assert.deepEqual(admitted.slice(2), ['b1', 'c1', 'b2', 'a3']);
  });

  test('heavy work holds half, one tenant’s a quarter, and never stands in the way of light work', async () => {
    const { ask, admitted, gate } = watched(8);
    for (const tenant of ['a', 'b', 'c'])
      for (let n = 0; n < 4; n += 1) void ask(`${tenant}${n}`, { tenant, heavy: true });
    await ask('light', { tenant: 'a' });
    assert.deepEqual(admitted, ['a0', 'a1', 'b0', 'b1', 'light']);
    assert.deepEqual(gate.counts, { held: 5, waiting: 8 });
  });

  test('a turn that does not come is said so, and nothing of it is left', async () => {
    const { ask, leave, gate, admitted } = watched(1);
    await ask('first', { tenant: 'a' });
    await assert.rejects(gate.enter({ tenant: 'b' }, 1), NoTurn);
    assert.deepEqual(gate.counts, { held: 1, waiting: 0 });
    void ask('second', { tenant: 'c' });
    await leave('first');
    assert.deepEqual(admitted, ['first', 'second']);
  });
});
