import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { header, openMailbox, type Received } from '../fixtures/mailbox.ts';
import { emailTo, newTenant, openWorld, until, type World } from '../fixtures/world.ts';

describe('a worker that is killed', () => {
  let world: World;
  before(async () => (world = await openWorld()));
  after(async () => world[Symbol.asyncDispose]());
  beforeEach(async () => {
    await world.admin.query(sql`delete from mail.letter`);
  });

  /** Starts a worker, kills it while the mail server has its `count`th message and has not answered; waits for its end. */
  const killedAt = async (count: number, url: string, on: (then: () => void) => void): Promise<void> => {
    const child = fork(new URL('../fixtures/process.ts', import.meta.url), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const ended = once(child, 'exit');
    let seen = 0;
    on(() => {
      seen += 1;
      if (seen === count) child.kill('SIGKILL');
    });
    child.send({ databaseUrl: world.databaseUrl, url });
    await ended;
    on(() => undefined);
  };

  const sent = async (tenant: string): Promise<void> =>
    until(async () => (await world.rows(tenant)).every(({ state }) => state === 'sent'));

  test('in the middle of sending sends again, and says by the Message-ID and the date that it is the same email', async () => {
    const tenant = newTenant();
    await using mailbox = await openMailbox();
    const came: Received[] = [];
    await world.post(tenant, [emailTo('ann@example.com')]);
    await killedAt(1, mailbox.url, (then) => {
      mailbox.onEmail = (email) => {
        came.push(email);
        then();
      };
    });
    assert.deepEqual(
      (await world.rows(tenant)).map(({ state, attempts }) => [state, attempts]),
      [['queued', 1]],
      'nobody noted that it was sent',
    );
    mailbox.onEmail = (email) => came.push(email);
    {
      await using _waiting = world.worker({ url: mailbox.url });
      await world.post(newTenant(), [emailTo('ben@example.com')]);
      await until(() => came.some(({ to }) => to.includes('ben@example.com')));
      assert.equal(came.filter(({ to }) => to.includes('ann@example.com')).length, 1, 'not before its lease is over');
      await world.makeDue(tenant);
      await sent(tenant);
    }
    const both = came.filter(({ to }) => to.includes('ann@example.com'));
    assert.equal(both.length, 2);
    const [row] = await world.rows(tenant);
    for (const name of ['message-id', 'date', 'subject']) {
      assert.equal(new Set(both.map(({ source }) => header(source, name))).size, 1, name);
    }
    assert.equal(header(both[0]?.source ?? '', 'message-id'), `<${String(row?.['letter_id'])}@mail.example.com>`);
  });

  test('again and again loses no email of hundreds, and no email has two names', async () => {
    const tenant = newTenant();
    await using mailbox = await openMailbox();
    const came: Received[] = [];
    const all = Array.from({ length: 200 }, (_, index) => `p${index}@example.com`);
    await world.post(
      tenant,
      all.map((to) => emailTo(to)),
    );
    for (const count of [7, 40, 23]) {
      await killedAt(count, mailbox.url, (then) => {
        mailbox.onEmail = (email) => {
          came.push(email);
          then();
        };
      });
      await world.makeDue(tenant);
    }
    mailbox.onEmail = (email) => came.push(email);
    await using _worker = world.worker({ url: mailbox.url });
    await sent(tenant);
    const names = Map.groupBy(came, ({ to }) => to.join());
    assert.deepEqual([...names.keys()].toSorted(), all.toSorted());
    for (const copies of names.values()) {
      assert.equal(new Set(copies.map(({ source }) => header(source, 'message-id'))).size, 1);
    }
    // Each kill may repeat what was in flight, or noted by nobody yet: a few, not the lot.
    assert.ok(came.length <= all.length + 3 * 15, `${came.length} messages for ${all.length} letters`);
  });
});
