import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Row, sql, type Statement, type TenantContext } from '@steward/sql';
import { Webhook } from 'standardwebhooks';
import { getDelivery } from '../deliveries/get.ts';
import { listDeliveries } from '../deliveries/list.ts';
import { createWebhook } from '../endpoints/create.ts';
import { openReceiver, type Receiver } from '../fixtures/receiver.ts';
import { shownHeaders } from './outcome.ts';
import { byDoor, createWorld, type Instance, thing, type World } from '../fixtures/world.ts';
import { rotateSecret } from '../signing/rotate.ts';

describe('what is sent to a webhook', () => {
  let world: World;
  let one: Instance;
  let context: TenantContext;
  let receiver: Receiver;
  const stack = new AsyncDisposableStack();
  before(async () => {
    world = stack.use(await createWorld());
    one = world.instance();
  });
  beforeEach(async () => {
    context = await world.tenant(one);
    receiver = stack.use(await openReceiver());
  });
  after(async () => stack.disposeAsync());

  const received = async (count: number): Promise<void> =>
    world.until(`${count} requests`, () => receiver.requests.length >= count);

  test('is what was announced since it was made, in order, which the official library verifies', async () => {
    await one.publish(context, ['before']);
    const { id, secret } = await one.webhook(context, receiver.url);
    await one.publish(context, ['a', 'b']);
    await one.publish(context, ['c'], 'deliveries.endpoint.resumed');
    await received(2);
    await world.until('both are stored', async () => (await world.states(id)).every((state) => state === 'delivered'));
    const library = new Webhook(secret);
    for (const { body, headers } of receiver.requests) {
      const told = library.verify(body, headers) as Record<string, unknown>;
      assert.deepEqual(
        [told['type'], told['tenantId'], Object.keys(told)],
        [thing, context.tenant, ['type', 'timestamp', 'tenantId', 'sequence', 'subject', 'data']],
      );
      assert.throws(() => library.verify(body.replace('{', '{ '), headers));
      assert.throws(() => new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(body, headers));
    }
    assert.deepEqual(receiver.requests.map(({ json }) => json.subject).toSorted(), ['a', 'b']);
    assert.deepEqual(await world.states(id), ['delivered', 'delivered']);
  });

  test('is signed by ed25519 where that is wanted, and by both keys while they overlap', async () => {
    const made = await byDoor(createWebhook)(
      context,
      { url: receiver.url, types: [thing], signing: 'ed25519' },
      one.ports,
    );
    assert.equal(made.status, 'active');
    const again = await byDoor(rotateSecret)(context, { webhookId: made.id, overlapHours: 1 }, one.ports);
    assert.equal(again.secret, null);
    await one.publish(context, ['a']);
    await received(1);
    const [request] = receiver.requests;
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = request?.headers ?? {};
    const text = Buffer.from(`${id}.${at}.${request?.body}`);
    const valid = (publicKey: string | null, signature: string): boolean => {
      const [version, value = ''] = signature.split(',');
      const x = Buffer.from(String(publicKey).replace('whpk_', ''), 'base64').toString('base64url');
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      return version === 'v1a' && verify(null, text, key, Buffer.from(value, 'base64'));
    };
    const [first = '', second = '', ...others] = signatures?.split(' ') ?? [];
    assert.deepEqual(
      [others, valid(again.publicKey, first), valid(made.publicKeys[0] ?? null, second)],
      [[], true, true],
    );
    assert.equal(valid(again.publicKey, second), false);
  });

  test('is verified with either secret while they overlap, and with the new one alone afterwards', async () => {
    const { id, secret: old } = await one.webhook(context, receiver.url);
    const { secret: fresh } = await byDoor(rotateSecret)(context, { webhookId: id, overlapHours: 1 }, one.ports);
    await one.publish(context, ['a']);
    await received(1);
    const verified = (secret: string | null, index: number): boolean => {
      try {
        new Webhook(String(secret)).verify(
          receiver.requests[index]?.body ?? '',
          receiver.requests[index]?.headers ?? {},
        );
        return true;
      } catch {
        return false;
      }
    };
    assert.deepEqual([verified(old, 0), verified(fresh, 0)], [true, true]);
    const { secret: last } = await byDoor(rotateSecret)(context, { webhookId: id, overlapHours: 0 }, one.ports);
    await one.publish(context, ['b']);
    await received(2);
    assert.deepEqual([verified(old, 1), verified(fresh, 1), verified(last, 1)], [false, false, true]);
  });

  test('waits for the first secret, and nothing announced meanwhile is lost', async () => {
    const made = await byDoor(createWebhook)(context, { url: receiver.url, types: null }, one.ports);
    assert.deepEqual([made.status, made.reason], ['paused', 'secret_missing']);
    await one.publish(context, ['early']);
    await world.until('it is queued', async () => (await world.states(made.id)).length === 1);
    const { secret } = await byDoor(rotateSecret)(context, { webhookId: made.id }, one.ports);
    await received(2);
    const [early] = receiver.requests;
    assert.equal(early?.json.subject, 'early');
    new Webhook(String(secret)).verify(early?.body ?? '', early?.headers ?? {});
  });

  test('keeps what was answered, of a delivery that failed before it arrived', async () => {
    const { id } = await one.webhook(context, receiver.url);
    let times = 0;
    receiver.answer((response) => {
      times += 1;
      if (times < 3)
        response.writeHead(500, { 'content-type': 'text/plain' }).end(`not now \u0000\u001B[31m${'x'.repeat(5_000)}`);
      else response.writeHead(200).end('thanks');
    });
    await one.publish(context, ['a']);
    await received(3);
    await world.until('it is stored', async () => (await world.states(id))[0] === 'delivered');
    assert.equal(new Set(receiver.requests.map((request) => request.id)).size, 1, 'the id stays the same');
    const { items } = await byDoor(listDeliveries)(context, { webhookId: id }, one.ports);
    assert.equal(items.length, 1);
    const found = await byDoor(getDelivery)(context, { webhookId: id, sequence: items[0]?.sequence }, one.ports);
    assert.deepEqual([found.state, found.attempts, found.eventId], ['delivered', 3, receiver.requests[0]?.id]);
    assert.equal(found.body, receiver.requests[0]?.body);
    assert.deepEqual(
      found.lastAttempts.map(({ attempt, status, error }) => [attempt, status, error]),
      [
        [3, 200, null],
        [2, 500, 'http_500'],
        [1, 500, 'http_500'],
      ],
    );
    for (const [index, { headers }] of found.lastAttempts.entries()) {
      const came = receiver.requests[2 - index]?.headers ?? {};
      assert.deepEqual(
        headers,
        Object.fromEntries(Object.keys(headers ?? {}).map((name) => [name, came[name]])),
        'as they came',
      );
      assert.ok(headers?.['webhook-signature']?.startsWith('v1,'));
    }
    assert.match(found.lastAttempts[1]?.answer ?? '', /^not now \[31mx+$/);
    assert.ok((found.lastAttempts[1]?.answer?.length ?? 0) <= 1_000);
  });

  test('goes on where its webhook is given back to a process that has just left it, before that heard so', async () => {
    const own = await createWorld();
    await using _gone = own;
    const here = own.instance({ poll: 20, linger: 60 });
    const { pool } = here.process.tenancy;
    const { query } = pool;
    const [left, heard] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slowly = async (one: Statement): Promise<Row[]> => {
      const rows = await query(one);
      if (/deliveries\.rest\(/.test(one.text) && JSON.stringify(one.values).includes('\\"leaves\\":true')) {
        left.resolve();
        await heard.promise;
      }
      return rows;
    };
    Object.assign(pool, { query: slowly });
    const tenant = await own.tenant(here);
    const { id } = await here.webhook(tenant, receiver.url);
    await here.publish(tenant, ['first']);
    await left.promise;
    await here.publish(tenant, ['second']);
    await own.until('it is given back', async () => {
      const given = sql`select from deliveries.queue where endpoint_id = ${id}::uuid and owner is not null`;
      return (await own.admin.query(given)).length === 1;
    });
    // The round that was given it has ended, and the next ones too.
    await own.until('the second arrives', () => receiver.requests.some(({ json }) => json.subject === 'second'));
    heard.resolve();
    await here.publish(tenant, ['third']);
    await own.until('the third arrives', async () => {
      const states = await own.states(id);
      return states.length === 3 && states.every((state) => state === 'delivered');
    });
  });

  test('keeps the headers of a request without what admits whoever has it', async () => {
    assert.deepEqual(
      shownHeaders({
        authorization: 'Bearer one',
        cookie: 'a=b',
        'x-api-key': 'two',
        'x-access-token': 'three',
        'client-secret': 'four',
        'webhook-signature': 'v1,abc',
        accept: '*/*',
      }),
      { 'webhook-signature': 'v1,abc', accept: '*/*' },
    );
  });
});
