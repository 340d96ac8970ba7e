import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql, type TenantContext } from '@steward/sql';
import { replayWebhook } from '../deliveries/replay.ts';
import { listDeliveries } from '../deliveries/list.ts';
import { openReceiver, type Receiver } from '../fixtures/receiver.ts';
import { byDoor, createWorld, type Instance, refusal, thing, type World } from '../fixtures/world.ts';
import { openSecret } from '../signing/read.ts';
import { rotateSecret } from '../signing/rotate.ts';
import { itself } from '../sending/context.ts';
import { createWebhook } from './create.ts';
import { deleteWebhook } from './delete.ts';
import { getWebhook } from './get.ts';
import { pauseWebhook } from './pause.ts';
import { resumeWebhook } from './resume.ts';
import { retargetWebhook } from './retarget.ts';
import { targetOf } from './target.ts';
import { testWebhook } from './test.ts';

describe('webhooks of a tenant', () => {
  let world: World;
  let one: Instance;
  let context: TenantContext;
  let receiver: Receiver;
  const stack = new AsyncDisposableStack();
  before(async () => {
    world = stack.use(await createWorld());
    one = world.instance();
    context = await world.tenant(one);
    receiver = stack.use(await openReceiver());
  });
  after(async () => stack.disposeAsync());

  const subjects = (): (string | undefined)[] => receiver.requests.map(({ json }) => json.subject);

  test('are sent to no address inside, by whatever name, nor elsewhere than by https at a port that is sent to', async () => {
    const strict = { judge: (await import('@steward/kernel')).lookupFor };
    const judge = (url: URL): void => void strict.judge(url, { loopback: false, ports: [443], plain: true });
    for (const [address, code] of [
      ['http://example.com/', 'scheme_not_allowed'],
      ['http://localhost/', 'scheme_not_allowed'],
      ['https://example.com:22/', 'port_not_allowed'],
      ['https://127.0.0.1/', 'address_not_public'],
      ['https://2130706433/', 'address_not_public'],
      ['https://169.254.169.254/latest/meta-data', 'address_not_public'],
      ['https://[::ffff:10.0.0.1]/', 'address_not_public'],
      ['https://localhost/', 'address_not_public'],
      ['https://user:secret@example.com/', 'credentials_in_url'],
      ['https://example.com/#part', 'fragment_in_url'],
      ['https://', 'invalid_url'],
      [`https://example.com/${' '.repeat(1_500)}a`, 'invalid_length'],
    ] as const)
      assert.equal(
        await refusal((async () => targetOf({ judge }, address))()),
        `invalid_request /url ${code}`,
        address,
      );
  });

  test('name types that there are, and nobody else reads, changes or deletes them', async () => {
    assert.equal(
      await refusal(byDoor(createWebhook)(context, { url: receiver.url, types: [thing, 'no.such.type'] }, one.ports)),
      'invalid_request /types/1 unknown_type',
    );
    const { id } = await one.webhook(context, receiver.url);
    const other = await world.tenant(one);
    const webhookId = id;
    for (const verb of [getWebhook, deleteWebhook, testWebhook, rotateSecret, resumeWebhook, listDeliveries])
      assert.equal(await refusal(byDoor(verb as typeof getWebhook)(other, { webhookId }, one.ports)), 'not_found');
    assert.equal(
      await refusal(byDoor(retargetWebhook)(other, { webhookId, url: receiver.url }, one.ports)),
      'not_found',
    );
    const from = '2026-01-01T00:00:00Z';
    assert.equal(await refusal(byDoor(replayWebhook)(other, { webhookId, from }, one.ports)), 'not_found');
    await byDoor(deleteWebhook)(context, { webhookId }, one.ports);
    assert.equal(await refusal(byDoor(getWebhook)(context, { webhookId }, one.ports)), 'not_found');
  });

  test('keep their secrets to themselves: no table, event, list or line of the log has them', async () => {
    const { id, secret } = await one.webhook(context, receiver.url);
    await byDoor(testWebhook)(context, { webhookId: id }, one.ports);
    await world.until('the test arrives', async () => (await world.states(id))[0] === 'delivered');
    const { tablesWith } = await import('@steward/testing');
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
    for (const text of [secret, secret.slice('whsec_'.length), bytes.toString('base64url'), bytes.toString('hex')])
      assert.deepEqual(await tablesWith(world.admin, text), []);
    const shown = JSON.stringify([
      await byDoor(getWebhook)(context, { webhookId: id }, one.ports),
      await byDoor(listDeliveries)(context, { webhookId: id }, one.ports),
    ]);
    assert.ok(!shown.includes(secret.slice(6)) && !one.log().includes(secret.slice(6)));
    // Moved to another webhook, it opens nowhere.
    const other = await one.webhook(context, receiver.url);
    const [row] = await world.admin.query<{ secret_id: string }>(sql`
      update deliveries.secret s set sealed = (select o.sealed from deliveries.secret o where o.endpoint_id = ${id}::uuid)
      where s.endpoint_id = ${other.id}::uuid returning s.secret_id`);
    await assert.rejects(
      openSecret(itself(one.ports, context.tenant), one.ports, other.id, row?.secret_id ?? ''),
      /changed or moved/,
    );
    for (const webhookId of [id, other.id]) await byDoor(deleteWebhook)(context, { webhookId }, one.ports);
  });

  test('get a test alone, and replays from any point with the ids that events had, within a day’s quota', async () => {
    const own = await world.tenant(one);
    await one.publish(own, ['early']);
    const mine = await one.webhook(own, receiver.url);
    const other = await one.webhook(own, receiver.url, { types: null });
    const began = receiver.requests.length;
    await byDoor(testWebhook)(own, { webhookId: mine.id }, one.ports);
    await world.until('the test arrives', async () => (await world.states(mine.id)).length === 1);
    await one.publish(own, ['a', 'b', 'c']);
    await world.until(
      'all arrive',
      async () => (await world.states(mine.id)).filter((state) => state === 'delivered').length === 4,
    );
    assert.ok(
      !(await world.states(other.id)).length ||
        receiver.requests.slice(began).filter(({ json }) => json.type === 'deliveries.endpoint.tested').length === 1,
    );
    const ids = new Map(receiver.requests.map((request) => [request.json.subject, request.id]));
    const { items } = await byDoor(listDeliveries)(own, { webhookId: mine.id }, one.ports);
    const had = receiver.requests.length;
    const again = await byDoor(replayWebhook)(own, { webhookId: mine.id, sequence: items[0]?.sequence }, one.ports);
    assert.deepEqual([again.events, again.continueAfter], [1, null]);
    await world.until('it comes again', () => receiver.requests.slice(had).some(({ json }) => json.subject === 'c'));
    assert.equal(receiver.requests.at(-1)?.id, ids.get('c'));
    const all = await byDoor(replayWebhook)(own, { webhookId: mine.id, from: '2026-01-01T00:00:00Z' }, one.ports);
    assert.equal(all.continueAfter, null);
    await world.until('what was before it comes too', () => subjects().includes('early'));
    assert.equal(
      await refusal(byDoor(replayWebhook)(own, { webhookId: mine.id }, one.ports)),
      'invalid_request /from required',
    );
    const replayed = async (): Promise<number> => {
      const [row] = await world.admin.query<{ replayed: number }>(
        sql`select replayed from deliveries.queue where endpoint_id = ${mine.id}::uuid`,
      );
      return Number(row?.replayed);
    };
    await world.until('all are sent', async () =>
      (await world.states(mine.id)).every((state) => state === 'delivered'),
    );
    const before = await replayed();
    await byDoor(pauseWebhook)(own, { webhookId: mine.id }, one.ports);
    const paused = await byDoor(replayWebhook)(own, { webhookId: mine.id, after: '0' }, one.ports);
    assert.ok(paused.events > 0);
    assert.equal(await replayed(), before + paused.events, 'what is replayed while it is paused is sent too');
    await world.admin.query(sql`
      update deliveries.queue set replay_day = (clock_timestamp() at time zone 'UTC')::date, replayed = 100000
      where endpoint_id = ${mine.id}::uuid`);
    assert.equal(
      await refusal(byDoor(replayWebhook)(own, { webhookId: mine.id, after: '0' }, one.ports)),
      'replay_limit',
    );
  });
});
