import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { sql, type TenantContext } from '@steward/sql';
import { openReceiver } from '../fixtures/receiver.ts';
import { Webhook } from 'standardwebhooks';
import { byDoor, createWorld, type Instance, quick, type World } from '../fixtures/world.ts';
import { rotateSecret } from '../signing/rotate.ts';

describe('webhooks of several processes', () => {
  let world: World;
  let one: Instance;
  let context: TenantContext;
  const stack = new AsyncDisposableStack();
  before(async () => {
    world = stack.use(await createWorld());
    one = world.instance({ ...quick, lease: 2_000 });
    context = await world.tenant(one);
  });
  after(async () => stack.disposeAsync());

  const all = async (webhookId: string): Promise<void> =>
    world.until('all arrive', async () => {
      const [row] = await world.admin.query<{ left: number }>(sql`
        select (select count(*) from bus.outbox where type = 'test.thing.happened' and tenant_id = ${context.tenant}::uuid)::int
          - (select count(*) from deliveries.delivery where endpoint_id = ${webhookId}::uuid and state = 'delivered')::int as left`);
      return row?.left === 0;
    });

  test('are sent once by two processes that live, and each keeps what it has', async () => {
    await using receiver = await openReceiver();
    const two = world.instance();
    const own = await world.tenant(one);
    const made = await Promise.all(Array.from({ length: 4 }, async () => one.webhook(own, receiver.url)));
    for (let round = 0; round < 20; round += 1) {
      await one.publish(own, [`a${round}`, 'b']);
      await two.publish(own, [`c${round}`, 'b']);
    }
    for (const { id } of made)
      await world.until('all arrive', async () => {
        const states = await world.states(id);
        return states.length === 80 && states.every((state) => state === 'delivered');
      });
    assert.equal(receiver.requests.length, 4 * 80);
    await two[Symbol.asyncDispose]();
  });

  test('are signed by a secret that another process has made, soon', async () => {
    await using receiver = await openReceiver();
    const own = await world.tenant(one);
    const { id } = await one.webhook(own, receiver.url);
    await one.publish(own, ['a']);
    await world.until('it arrives', () => receiver.requests.length === 1);
    const two = world.instance();
    const { secret } = await byDoor(rotateSecret)(own, { webhookId: id, overlapHours: 0 }, two.ports);
    await world.until('the new secret signs', async () => {
      await one.publish(own, ['a']);
      await sleep(50);
      const last = receiver.requests.at(-1);
      try {
        return last !== undefined && new Webhook(secret ?? '').verify(last.body, last.headers) !== undefined;
      } catch {
        return false;
      }
    });
    await two[Symbol.asyncDispose]();
  });

  test('survive processes that are killed: each event arrives at least once, with one id, in the order of its subject', async () => {
    await using receiver = await openReceiver();
    const webhook = await one.webhook(context, receiver.url);
    receiver.answer(async (response, { json }) => {
      await sleep(Number(json.data['number']) % 3);
      response.writeHead(200).end();
    });
    await one[Symbol.asyncDispose]();
    const start = async (): Promise<ChildProcess> => {
      const child = fork(new URL('../fixtures/process.ts', import.meta.url), [
        world.url,
        world.dataDir,
        context.tenant,
        '3',
      ]);
      stack.defer(() => void child.kill('SIGKILL'));
      await once(child, 'message');
      return child;
    };
    for (let round = 0; round < 3; round += 1) {
      const child = await start();
      const had = receiver.requests.length;
      await world.until('some arrive', () => receiver.requests.length > had + 40);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const last = world.instance({ ...quick, lease: 2_000 });
    await all(webhook.id);
    await last[Symbol.asyncDispose]();
    const published = await world.admin.query<{ event_id: string; subject: string }>(sql`
      select event_id, subject from bus.outbox where type = 'test.thing.happened' and tenant_id = ${context.tenant}::uuid order by position`);
    const came = new Set(receiver.requests.map(({ id }) => id));
    assert.deepEqual(
      published.filter(({ event_id }) => !came.has(event_id)),
      [],
      'none is lost',
    );
    assert.equal(came.size, published.length);
    for (const subject of new Set(published.map((row) => row.subject))) {
      const due = published.filter((row) => row.subject === subject).map(({ event_id }) => event_id);
      const first = receiver.requests.filter(({ json }) => json.subject === subject).map(({ id }) => id);
      assert.deepEqual([...new Set(first)], due, subject);
    }
  });
});
