import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fail, newId, type Problem } from '@steward/kernel';
import { createGroupCommit, type Commit, type Outcome } from './group-commit.ts';

interface Input {
  readonly key: ReturnType<typeof keyOf>;
  readonly formId: string;
  readonly n: number;
}

const keyOf = (tenant = newId()) => ({
  tenant,
  siteId: newId(),
  brandId: newId(),
  keyId: newId(),
  mode: 'live' as const,
  origins: [],
});
const formId = newId();
const inputs = (many: number, key = keyOf()): Input[] =>
  Array.from({ length: many }, (_one, n) => ({ key, formId, n }));
const stored = (n: number): Outcome<number> => ({ output: n });

/** A group commit whose commits are noted, `+` of all tenants and `=` of one key, and do what they are told to. */
function commits(told: { together?: Commit<Input, number>; alone?: Commit<Input, number> }) {
  const made: string[] = [];
  const noted = (sign: string, commit: Commit<Input, number> = async (batch) => batch.map(({ n }) => stored(n))) =>
    (async (batch) => {
      made.push(`${sign}${batch.length}`);
      return commit(batch);
    }) satisfies Commit<Input, number>;
  const groupCommit = createGroupCommit<Input, number>({
    together: noted('+', told.together),
    alone: noted('=', told.alone),
    staysIsolated: (n) => n >= 100,
  });
  return { made, groupCommit };
}

const statuses = (settled: readonly PromiseSettledResult<number>[]): string[] => settled.map(({ status }) => status);
const lockTimeout = (): Problem =>
  fail('unavailable', 'Try again.', { cause: Object.assign(new Error('lock'), { code: '55P03' }) });

describe('group commit', () => {
  test('whoever comes during commits shares the next one, whichever tenant’s', async () => {
    const gate = Promise.withResolvers<void>();
    const { groupCommit, made } = commits({
      together: async (batch) => {
        await gate.promise;
        return batch.map(({ n }) => stored(n));
      },
    });
    const answers = inputs(40).map(async (one) => groupCommit({ ...one, key: keyOf() }));
    await turn();
    assert.deepEqual(made, ['+20', '+20']);
    answers.push(...inputs(90).map(async (one) => groupCommit({ ...one, key: keyOf() })));
    await turn();
    assert.deepEqual(made, ['+20', '+20']);
    gate.resolve();
    assert.deepEqual(
      await Promise.all(answers),
      [...inputs(40), ...inputs(90)].map(({ n }) => n),
    );
    assert.deepEqual(made, ['+20', '+20', '+32', '+32', '+13', '+13']);
  });

  test('a few go in one commit, and do not wait for more', async () => {
    const { groupCommit, made } = commits({});
    await Promise.all(inputs(7).map(groupCommit));
    await Promise.all(inputs(1).map(groupCommit));
    assert.deepEqual(made, ['+7', '+1']);
  });

  test('a form that cannot share goes with its key alone, and from then on at once, until it could', async () => {
    const { groupCommit, made } = commits({
      together: async (batch) => batch.map(({ n }) => (n >= 100 ? 'isolated' : stored(n))),
    });
    const [one] = inputs(1);
    assert.ok(one);
    assert.equal(await groupCommit({ ...one, n: 100 }), 100);
    assert.equal(await groupCommit({ ...one, n: 101 }), 101);
    assert.equal(await groupCommit({ ...one, n: 1 }), 1);
    assert.equal(await groupCommit({ ...one, n: 2 }), 2);
    assert.deepEqual(made, ['+1', '=1', '=1', '=1', '+1']);
  });

  test('a Problem answers its own input only', async () => {
    const { groupCommit, made } = commits({
      together: async (batch) => batch.map(({ n }) => (n === 2 ? { refused: fail('not_found') } : stored(n))),
    });
    const settled = await Promise.allSettled(inputs(6).map(groupCommit));
    assert.deepEqual(statuses(settled), ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    assert.deepEqual(made, ['+6']);
  });

  test('a commit of which nothing is known is not tried again: nobody’s submission is made twice', async () => {
    const commit: Commit<Input, number> = async (batch) => {
      if (batch.length > 1) throw fail('unavailable');
      return batch.map(({ n }) => stored(n));
    };
    const isolated: Commit<Input, number> = async (batch) => batch.map(() => 'isolated');
    for (const [told, expected] of [
      [{ together: commit }, ['+1', '+8', '+1']],
      [{ together: isolated, alone: commit }, ['+1', '=1', '=8', '=1']],
    ] as const) {
      const { groupCommit, made } = commits(told);
      const [first, ...more] = inputs(10, keyOf());
      assert.ok(first);
      await groupCommit({ ...first, n: 100 });
      const settled = await Promise.allSettled(more.map(async (one) => groupCommit({ ...one, n: 100 })));
      assert.deepEqual(made, expected);
      assert.equal(statuses(settled).filter((status) => status === 'rejected').length, 8);
    }
  });

  test('what the database refuses in company is tried alone, and only that fails which fails there', async () => {
    const commit: Commit<Input, number> = async (batch) => {
      if (batch.some(({ n }) => n === 7)) throw new Error('no');
      return batch.map(({ n }) => stored(n));
    };
    const { groupCommit } = commits({ together: commit, alone: commit });
    const settled = await Promise.allSettled(inputs(12).map(groupCommit));
    assert.deepEqual(
      settled.flatMap(({ status }, n) => (status === 'rejected' ? [n] : [])),
      [7],
    );
  });

  test('a tenant whose rows are locked keeps nobody else waiting: it goes alone until that succeeds', async () => {
    const stuck = keyOf();
    let free = false;
    const gate = Promise.withResolvers<void>();
    const { groupCommit, made } = commits({
      together: async (batch) => {
        if (!free && batch.some(({ key }) => key === stuck)) throw lockTimeout();
        return batch.map(({ n }) => stored(n));
      },
      alone: async (batch) => {
        if (batch.some(({ key }) => key === stuck)) await gate.promise;
        return batch.map(({ n }) => stored(n));
      },
    });
    const [waiting] = inputs(1, stuck);
    const [other] = inputs(1);
    assert.ok(waiting && other);
    const late = groupCommit(waiting);
    await turn();
    assert.equal(await groupCommit(other), 0);
    const later = groupCommit(waiting);
    assert.equal(await groupCommit(other), 0);
    assert.deepEqual(made, ['+1', '=1', '+1', '=1', '+1']);
    free = true;
    gate.resolve();
    await Promise.all([late, later]);
    await groupCommit(waiting);
    assert.equal(made.at(-1), '+1');
  });
});
