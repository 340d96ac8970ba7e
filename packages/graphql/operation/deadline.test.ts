import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createDeadline } from './deadline.ts';
import { Refusal } from './refusal.ts';

const done = { data: 1, errors: [] };

it('work that ends in time keeps its outcome; each that does not is refused, whatever the others do', async () => {
  const inTime = createDeadline(20);
  const never = new Promise<typeof done>(() => undefined);
  const outcomes = await Promise.allSettled([inTime(never), inTime(Promise.resolve(done)), inTime(never)]);
  assert.deepEqual(outcomes[1], { status: 'fulfilled', value: done });
  for (const outcome of [outcomes[0], outcomes[2]]) {
    assert.ok(outcome?.status === 'rejected' && outcome.reason instanceof Refusal);
    assert.equal(outcome.reason.problem.code, 'operation_timeout');
  }
  assert.deepEqual(await inTime(Promise.resolve(done)), done);
});
