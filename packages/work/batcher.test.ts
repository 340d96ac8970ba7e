import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createBatcher, type BatcherOptions, type Settled } from './batcher.ts';

type Commit = BatcherOptions<number, string, void>['commit'];

const answerAll: Commit = async (batch) => batch.map((n) => ({ answer: `${n}` }));

/** A batcher whose batches are noted as they begin. */
function open({ commit = answerAll, ...options }: Partial<BatcherOptions<number, string, void>> = {}) {
  const batches: (readonly number[])[] = [];
  const submit = createBatcher<number, string>({
    open: async (run) => run(),
    onFailure: () => 'split',
    retry: { first: 1, longest: 1 },
    concurrency: 2,
    size: (waiting) => Math.min(4, Math.ceil(waiting / 2)),
    ...options,
    commit: async (batch) => {
      batches.push(batch);
      return commit(batch);
    },
  });
  return { batches, submit };
}

const upTo = (many: number): number[] => Array.from({ length: many }, (_one, index) => index);
const states = (settled: readonly PromiseSettledResult<string>[]): string[] =>
  settled.map((one) => (one.status === 'fulfilled' ? one.value : String((one.reason as Error).message)));

describe('a batcher', () => {
  test('carries together what came in one turn, so many batches at once and the rest in the next, an answer each', async () => {
    const landing = Promise.withResolvers<void>();
    const { batches, submit } = open({
      commit: async (batch) => {
        await landing.promise;
        return answerAll(batch);
      },
    });
    const answers = upTo(11).map(submit);
    assert.deepEqual(batches, []);
    await turn();
    assert.deepEqual(batches, [
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ]);
    landing.resolve();
    assert.deepEqual(await Promise.all(answers), upTo(11).map(String));
    assert.deepEqual(batches.slice(2), [[8, 9], [10]]);
  });

  test('holds batches to their weight, of which one item may have more', async () => {
    const { batches, submit } = open({ concurrency: 1, size: () => 10, most: 10, weightOf: (n) => n });
    await Promise.all([4, 5, 6, 40, 1].map(submit));
    assert.deepEqual(batches, [[4, 5], [6], [40], [1]]);
  });

  test('takes of each share in turn: one that sent many keeps nobody else waiting for all of them', async () => {
    const { batches, submit } = open({
      concurrency: 1,
      size: () => 4,
      most: 100,
      weightOf: (n) => (n === 3 ? 99 : 1),
      shareOf: (n) => (n < 10 ? 'many' : String(n)),
    });
    const answers = await Promise.all([0, 1, 2, 3, 4, 10, 5, 11].map(submit));
    assert.deepEqual(answers, ['0', '1', '2', '3', '4', '10', '5', '11']);
    assert.deepEqual(batches, [
      [0, 10, 11, 1],
      [2, 3],
      [4, 5],
    ]);
  });

  test('waits for a batch to land where the size says so', async () => {
    const { batches, submit } = open({ size: (waiting, inFlight) => (inFlight > 0 ? 0 : Math.min(2, waiting)) });
    await Promise.all(upTo(3).map(submit));
    assert.deepEqual(batches, [[0, 1], [2]]);
  });

  test('a failure that is an item’s own fails its caller only, whether it is answered or thrown', async () => {
    const refusing: Commit = async (batch) =>
      batch.map((n): Settled<string> => (n === 2 ? { failure: new Error('not 2') } : { answer: `${n}` }));
    const throwing: Commit = async (batch) => {
      if (batch.includes(2)) throw new Error('not 2');
      return answerAll(batch);
    };
    for (const commit of [refusing, throwing]) {
      const { submit } = open({ commit, concurrency: 1, size: () => 8 });
      assert.deepEqual(states(await Promise.allSettled(upTo(6).map(submit))), ['0', '1', 'not 2', '3', '4', '5']);
    }
  });

  test('fails everybody in a batch where it cannot be known what came of it, and goes on', async () => {
    const { batches, submit } = open({
      commit: async (batch) => {
        if (batch.length > 1) throw new Error('away');
        return answerAll(batch);
      },
      onFailure: () => 'fail',
    });
    assert.deepEqual(states(await Promise.allSettled(upTo(3).map(submit))), ['away', 'away', '2']);
    assert.equal(batches.length, 2);
  });

  test('what failed for a moment goes again before what came later, until its time is up', async () => {
    let away = 3;
    const { batches, submit } = open({
      commit: async (batch) => {
        if ((away -= 1) >= 0) throw new Error('away');
        return answerAll(batch);
      },
      onFailure: () => 'retry',
      expired: (n, error) => (n === 1 ? (error as Error) : undefined),
      concurrency: 1,
      size: () => 2,
    });
    assert.deepEqual(states(await Promise.allSettled(upTo(4).map(submit))), ['0', 'away', '2', '3']);
    assert.deepEqual(batches, [[0, 1], [0, 2], [0, 2], [0, 2], [3]]);
  });

  test('what is to go later does, and what goes elsewhere is answered there', async () => {
    let first = true;
    const elsewhere = open({ commit: async (batch) => batch.map(() => ({ answer: 'elsewhere' })) });
    const { batches, submit } = open({
      commit: async (batch) => {
        const came = batch.map((n): Settled<string> => {
          if (n === 0) return { answer: elsewhere.submit(n) };
          return first ? 'later' : { answer: `${n}` };
        });
        first = false;
        return came;
      },
      concurrency: 1,
      size: () => 2,
    });
    assert.deepEqual(await Promise.all(upTo(3).map(submit)), ['elsewhere', '1', '2']);
    assert.deepEqual(batches, [
      [0, 1],
      [1, 2],
    ]);
  });

  test('opens once for a run of batches, again where that fails, and says when it is empty', async () => {
    let opened = 0;
    let emptied = 0;
    const { submit } = open({
      open: async (run) => {
        opened += 1;
        if (opened === 1) throw new Error('no connection');
        await run();
      },
      onIdle: () => (emptied += 1),
    });
    assert.deepEqual(await Promise.all(upTo(20).map(submit)), upTo(20).map(String));
    await turn();
    assert.deepEqual([opened, emptied], [2, 1]);
    assert.equal(await submit(1), '1');
    await turn();
    assert.deepEqual([opened, emptied], [3, 2]);
  });

  test('tells whoever it has no answer for', async () => {
    const { submit } = open({ commit: async () => [] });
    await assert.rejects(submit(1), /answered for fewer/);
  });
});
