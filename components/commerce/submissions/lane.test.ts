import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fail, newId } from '@steward/kernel';
import type { TenantTransaction } from '@steward/sql';
import { createLane } from './lane.ts';

const key = (keyId = newId()) => ({ tenant: newId(), siteId: newId(), keyId, mode: 'live' as const, origins: [] });

/** Commits that end when they are told to; the sizes of what they held. */
function commits(end: (size: number) => Promise<void>) {
  const sizes: number[] = [];
  const places = new WeakMap<TenantTransaction, number>();
  const placeOf = (tx: TenantTransaction): number => places.get(tx) ?? -1;
  const lane = createLane<{ key: ReturnType<typeof key>; n: number }, number>(
    async (_first, work) => {
      const tx = {} as TenantTransaction;
      places.set(tx, sizes.push(0) - 1);
      await work(tx);
      await end(sizes[placeOf(tx)] ?? 0);
    },
    (tx) => ({
      part: async ({ n }) => {
        sizes[placeOf(tx)] = (sizes[placeOf(tx)] ?? 0) + 1;
        return n;
      },
    }),
  );
  return { lane, sizes };
}

test('whoever comes during a commit shares the next one, and another key waits for nobody', async () => {
  const gate = Promise.withResolvers<void>();
  const { lane, sizes } = commits(async () => gate.promise);
  const one = key();
  const answers = Array.from({ length: 40 }, async (_one, n) => lane({ key: one, n }));
  await turn();
  assert.deepEqual(sizes, [1, 1]);
  const other = lane({ key: key(), n: 99 });
  await turn();
  assert.deepEqual(sizes, [1, 1, 1]);
  gate.resolve();
  assert.deepEqual(
    await Promise.all(answers),
    Array.from({ length: 40 }, (_one, n) => n),
  );
  assert.equal(await other, 99);
  assert.deepEqual(sizes, [1, 1, 1, 32, 6]);
});

test('a commit of which nothing is known is not tried again: nobody’s submission is made twice', async () => {
  const gate = Promise.withResolvers<void>();
  const { lane, sizes } = commits(async (size) => {
    await gate.promise;
    if (size > 1) throw fail('unavailable');
  });
  const one = key();
  const answers = Promise.allSettled(Array.from({ length: 10 }, async (_one, n) => lane({ key: one, n })));
  await turn();
  gate.resolve();
  const settled = await answers;
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'fulfilled', ...Array.from({ length: 8 }, () => 'rejected')],
  );
  assert.deepEqual(sizes, [1, 1, 8]);
});

test('what the database refuses in company is tried alone, and only that fails which fails there', async () => {
  const gate = Promise.withResolvers<void>();
  let poisoned = 0;
  const lane = createLane<{ key: ReturnType<typeof key>; n: number }, number>(
    async (_first, work) => {
      await gate.promise;
      await work({} as TenantTransaction);
    },
    () => ({
      part: async ({ n }) => {
        if (n !== 7) return n;
        poisoned += 1;
        throw new Error('no');
      },
    }),
  );
  const one = key();
  const answers = Promise.allSettled(Array.from({ length: 12 }, async (_one, n) => lane({ key: one, n })));
  gate.resolve();
  const settled = await answers;
  assert.deepEqual(
    settled.flatMap(({ status }, n) => (status === 'rejected' ? [n] : [])),
    [7],
  );
  assert.equal(poisoned, 2);
});
