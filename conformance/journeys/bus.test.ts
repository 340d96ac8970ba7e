import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWorld, type Ran, type World } from '@steward/conformance/world';
import { openPool, sql } from '@steward/sql';

describe('the event bus, by its operator', () => {
  let world: World;
  before(async () => (world = await createWorld()));
  after(async () => world[Symbol.asyncDispose]());

  const steward = async (...args: string[]): Promise<Ran> => world.command(['bus', ...args]);

  test('shows consumers of the running server, a dead letter and its retry, and prunes nothing that is needed', async () => {
    const { tenant } = await world.signUp('alice@example.com');
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    // An announcement of nothing that exists: its handler fails until it is given up; here it already is.
    await admin.query(sql`
      insert into bus.outbox (tenant_id, event_id, type, source, data)
      values (${tenant}, '01a1ff00-0000-7000-8000-000000000001', 'test.nobody.follows', 'test', '{}')`);
    await admin.query(sql`
      insert into bus.dead_letter (tenant_id, consumer, event_id, position, attempts, error_code)
      select tenant_id, 'studio.submissions', event_id, position, 8, 'not_found' from bus.outbox
      where type = 'test.nobody.follows'`);
    let status = await steward('status', '--json');
    for (let round = 0; round < 20 && !status.out.includes('studio.submissions'); round += 1) {
      await sleep(100);
      status = await steward('status', '--json');
    }
    assert.equal(status.code, 1, status.err);
    const states = JSON.parse(status.out) as { consumer: string; deadLetters: number }[];
    assert.equal(states.find(({ consumer }) => consumer === 'studio.submissions')?.deadLetters, 1);
    const letters = await steward('dead-letters', '--tenant', tenant);
    assert.match(letters.out, /^dead studio\.submissions tenant .* test\.nobody\.follows: not_found, 8 attempts/);
    const refused = await steward('prune', '--before', '2999-01-01');
    assert.deepEqual([refused.code, refused.out], [1, '']);
    assert.match(refused.err, /because studio\.submissions \(dead letter/);
    const retried = await steward('retry', '--consumer', 'studio.submissions');
    assert.match(retried.out, /^1 dead letters are tried again/);
    const again = await steward('replay', '--consumer', 'nobody', '--from-beginning');
    assert.deepEqual(
      [again.code, again.err],
      [1, 'There is no consumer "nobody": `steward bus status` lists the consumers.\n'],
    );
    assert.equal((await steward('replay', '--consumer', 'studio.submissions')).code, 2);
    const ready = await fetch(`${world.server.internalUrl}/readyz`);
    assert.deepEqual(await ready.json(), {
      status: 'ready',
      checks: [
        { name: 'database', ok: true },
        { name: 'bus', ok: true },
      ],
    });
    assert.match(
      await (await fetch(`${world.server.internalUrl}/metrics`)).text(),
      /steward_bus_lag_events\{consumer="studio\.submissions"\} \d+/,
    );
  });

  test('is told of events that a cursor had passed over, until that is acknowledged', async () => {
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    await admin.query(sql`delete from bus.dead_letter`);
    assert.equal((await steward('status')).code, 0);
    await admin.query(sql`update bus.consumer set passed_over = 3 where name = 'studio.submissions'`);
    const told = await steward('status');
    assert.equal(told.code, 1);
    assert.match(told.out, /^studio\.submissions: .* 3 passed over/m);
    assert.match((await steward('acknowledge', '--consumer', 'studio.submissions')).out, /^3 events passed over/);
    assert.equal((await steward('status')).code, 0);
  });
});
