import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@steward/kernel';
import { madeSince, withoutMade } from './made.ts';

test('ids made since a moment are named by their order, times are alike, and what was there before stays', async () => {
  const before = newId();
  await sleep(2);
  const since = Date.now();
  const isMade = madeSince({ since, ahead: 0 }, {});
  const [a, b] = [newId(), newId()];
  const now = new Date().toISOString();
  const old = '2026-03-01T10:00:00.000Z';
  assert.deepEqual(
    withoutMade({ id: a, of: before, lines: [{ id: b }, { of: a }], at: now, date: old, day: '2026-03-01' }, isMade),
    {
      id: 'made 1',
      of: before,
      lines: [{ id: 'made 2' }, { of: 'made 1' }],
      at: 'made then',
      date: old,
      day: '2026-03-01',
    },
  );
  const [one, other] = [newId(), newId()];
  assert.notDeepEqual(withoutMade([one, one], isMade), withoutMade([one, other], isMade), 'which is which is bound');
  const [then, later] = [since + 1, since + 2].map((at) => new Date(at).toISOString());
  assert.deepEqual(
    withoutMade([then, then], isMade),
    withoutMade([then, later], isMade),
    'a millisecond tells nothing',
  );
  assert.equal(withoutMade(`see ${a}`, isMade), `see ${a}`);
  const ends = '2099-01-01T00:00:00+00:00';
  assert.equal(withoutMade(ends, isMade), ends, 'a moment that was asked for is what it is');
  const far = new Date(since + 3_600_000).toISOString();
  const behind = madeSince({ since, ahead: 3_600_000 }, {});
  assert.deepEqual(
    [isMade(far), behind(far), behind(ends)],
    [false, true, false],
    'the clock of the database may be ahead',
  );
});

test('what stands in the arguments was not made, whatever it looks like', () => {
  const since = Date.now();
  const [made, asked, never] = [newId(), newId(), 'ffffffff-ffff-7fff-8fff-fffffffffff3'];
  const isMade = madeSince({ since, ahead: 0 }, { party: { name: ` ${asked.toUpperCase()} ` }, at: [never] });
  assert.deepEqual([made, asked, never].map(isMade), [true, false, false]);
  assert.equal(madeSince({ since, ahead: 0 }, {})(never), false, 'nor was what is of another age');
});
