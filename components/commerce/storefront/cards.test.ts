import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { anything } from '@steward/audit/testing';
import { cancelOrder, editOrder, fulfilOrder, type Order, orderIn, refundOrder } from '@steward/orders';
import { openStripe, type Intent, type StripeStub } from '@steward/orders/testing';
import { sql, type TenantContext } from '@steward/sql';
import { Stripe } from 'stripe';
import { eraseContact } from '../component.ts';
import { type Checkout, opening } from '../fixtures/buying.ts';
import { cardsAt, createWorld, type Running, webhookSecret, type World } from '../fixtures/world.ts';

const card = { payment: { handler: 'card', method: 'card' } };
const eur = (amount: string) => ({ amount, currency: 'EUR' });

/** An event as the provider's own library signs it. */
const signed = (event: object, key = webhookSecret): { readonly body: string; readonly signature: string } => {
  const body = JSON.stringify(event);
  return { body, signature: Stripe.webhooks.generateTestHeaderString({ payload: body, secret: key }) };
};
let counted = 0;
const eventOf = (object: object, type: string, more: object = {}) => ({
  id: `evt_${(counted += 1)}`,
  object: 'event',
  type,
  created: Math.floor(Date.now() / 1000),
  livemode: true,
  data: { object },
  ...more,
});

describe('a checkout that is paid by card', () => {
  let world: World;
  let server: Running;
  let stripe: StripeStub;
  before(async () => {
    world = await createWorld();
    stripe = await openStripe();
    server = await world.start({ cards: cardsAt(stripe.url) });
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    await stripe[Symbol.asyncDispose]();
  });

  const told = async (event: object, key?: string, connection?: string): Promise<number> => {
    const { body, signature } = signed(event, key);
    const query = connection === undefined ? '' : `?c=${connection}`;
    const answer = await fetch(`${server.origin}/commerce/webhooks/card_payments${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body,
    });
    await answer.text();
    return answer.status;
  };
  /** Until nothing that a provider said waits. */
  const settled = async (tenant: string): Promise<void> => {
    for (let left = 1; left > 0; await sleep(left > 0 ? 20 : 0)) {
      const [row] = await world.admin.query<{ left: number }>(sql`
        select count(*)::int as left from callbacks.delivery where tenant_id = ${tenant}::uuid and status = 'waiting'`);
      left = row?.left ?? 0;
    }
  };
  const requests = async (tenant: string): Promise<string[]> =>
    (
      await world.admin.query<{ says: string }>(sql`
        select concat_ws(' ', kind, amount, state, reason) as says from orders.payment_request
        where tenant_id = ${tenant}::uuid order by request_id`)
    ).map(({ says }) => says);
  const order = async (tenant: string) => {
    const [row] = await world.admin.query(sql`
      select payment_status as paid, captured::int, refunded::int, authorized::int from orders.sales_order where tenant_id = ${tenant}::uuid`);
    return row;
  };
  /** One of 10.00 and shipping 4.90 that waits for its buyer, with its intent at the provider. */
  const waiting = async (quantity = 1) => {
    const shop = await opening(world, server)('live');
    const cup = await shop.goods.variant({ cents: 1000, stock: 5 });
    const { id, token } = await shop.ready(cup, quantity);
    const at = `/checkouts/${id}`;
    const buy = async () => shop.send('POST', `${at}/complete`, card, token);
    const asked = await shop.good(buy());
    const payment = asked['payment'] as { status: string; action: Record<string, unknown> };
    const intent = [...stripe.intents.values()].find(({ metadata }) => metadata['checkout_id'] === id) as Intent;
    const look = async (): Promise<Checkout> => shop.good(shop.send('GET', at, undefined, token));
    const confirm = async (): Promise<Checkout> => shop.good(shop.send('POST', `${at}/confirm`, {}, token));
    return { ...shop, id, token, at, buy, asked, payment, intent, look, confirm };
  };

  test('waits for its buyer with a client secret that is kept nowhere, and becomes an order when the provider says that it is authorized', async () => {
    const { tenant, asked, payment, intent, send, at, token, levels, look } = await waiting();
    assert.deepEqual([asked.status, payment.status], ['completing', 'requires_action']);
    assert.deepEqual(payment.action, { kind: 'stripe', publishableKey: 'pk_live_1' });
    assert.deepEqual([intent.amount, intent.currency, intent.status], [1490, 'eur', 'requires_payment_method']);
    const found = await send('GET', `${at}/payment-secrets`, undefined, token);
    assert.deepEqual(found.body, { clientSecret: intent.client_secret, publishableKey: 'pk_live_1' });
    assert.equal(found.headers.get('cache-control'), 'no-store');
    assert.equal((await send('GET', `${at}/payment-secrets`, undefined, randomUUID())).status, 404);
    for (const table of ['checkout.session', 'checkout.request', 'orders.payment'])
      assert.doesNotMatch(await everything(table, tenant), /_secret_/, table);
    assert.deepEqual(await levels(), ['5 - 1']);
    assert.equal(await told(eventOf(intent, 'payment_intent.payment_failed')), 200, 'another card may be given');
    stripe.confirm(intent.id);
    assert.equal(await told(eventOf(intent, 'payment_intent.amount_capturable_updated')), 200);
    await settled(tenant);
    const done = await look();
    assert.deepEqual([done.status, done.order?.number], ['completed', '1001']);
    assert.equal((await send('GET', `${at}/payment-secrets`, undefined, token)).status, 409);
    assert.deepEqual(await order(tenant), { paid: 'authorized', captured: 0, refunded: 0, authorized: 1490 });
    await carriedOut();
    assert.deepEqual(await order(tenant), { paid: 'paid', captured: 1490, refunded: 0, authorized: 0 });
    assert.deepEqual([intent.status, intent.amount_received], ['succeeded', 1490]);
    const [chain] = await world.admin.query(sql`
      select e.event::jsonb ->> 'correlationId' = d.delivery_id::text as one, e.event::jsonb ->> 'sourceSystem' as source
      from audit.event e join callbacks.delivery d on d.tenant_id = e.tenant_id and d.status = 'applied'
      where e.tenant_id = ${tenant}::uuid and e.event::jsonb ->> 'type' = 'commerce.order.placed'`);
    assert.deepEqual(chain, { one: true, source: 'stripe' });
  });
  const orderOf = async (context: TenantContext, orderId: string): Promise<Order> =>
    (await context.require(anything).write(async (tx) => orderIn(tx, orderId))) ?? assert.fail('an order');
  const carriedOut = async (): Promise<void> => {
    await world.admin.query(sql`update orders.payment_request set next_at = clock_timestamp() where state = 'asked'`);
    await server.carryOut();
  };
  const everything = async (table: string, tenant: string): Promise<string> => {
    const rows = await world.admin.query(
      table === 'orders.payment'
        ? sql`select * from orders.payment where tenant_id = ${tenant}::uuid`
        : table === 'checkout.session'
          ? sql`select * from checkout.session where tenant_id = ${tenant}::uuid`
          : sql`select answer from checkout.request where tenant_id = ${tenant}::uuid`,
    );
    return JSON.stringify(rows, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  };

  test('becomes one order, however browser, callbacks and retries come together and in whichever order', async () => {
    const one = await waiting(2);
    const { tenant, intent, buy, confirm, look, rows, levels } = one;
    stripe.confirm(intent.id);
    const event = eventOf(intent, 'payment_intent.amount_capturable_updated');
    const older = eventOf(intent, 'payment_intent.requires_action', { created: event.created - 60 });
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, async (_, index) =>
        told(index % 2 === 0 ? event : { ...event, id: `${event.id}_${index}` }),
      ),
      told(older),
      buy(),
      confirm(),
      look(),
      server.followUp(),
    ]);
    assert.ok(answers.slice(0, 21).every((status) => status === 200));
    await settled(tenant);
    assert.equal((await look()).status, 'completed');
    await carriedOut();
    await carriedOut();
    assert.deepEqual(
      [await rows('orders.sales_order'), await rows('orders.payment'), await requests(tenant), await levels()],
      [1, 1, ['capture 2490 done'], ['5 - 2']],
    );
    assert.equal(
      stripe.requests.filter((asked) => asked === `POST /v1/payment_intents/${intent.id}/capture`).length,
      1,
    );
  });

  test('that expired before its buyer paid gives the money back, and what was paid before is an order: one of both', async () => {
    const expire = async ({ id, tenant }: { readonly id: string; readonly tenant: string }) =>
      world.admin.query(sql`
        update checkout.session set expires_at = clock_timestamp() - interval '1 second', updated_at = clock_timestamp() - interval '1 hour'
        where tenant_id = ${tenant}::uuid and checkout_id = ${id}::uuid`);
    const late = await waiting();
    await expire(late);
    await server.followUp();
    assert.equal((await late.look()).status, 'expired');
    assert.deepEqual(await late.levels(), ['5 - 0']);
    // The buyer's page did not know of it.
    stripe.confirm(late.intent.id);
    await told(eventOf(late.intent, 'payment_intent.amount_capturable_updated'));
    await settled(late.tenant);
    await carriedOut();
    assert.deepEqual(
      [await late.rows('orders.sales_order'), await requests(late.tenant), late.intent.status],
      [0, ['void 1490 done'], 'canceled'],
    );

    const captured = await waiting();
    await expire(captured);
    await server.followUp();
    stripe.confirm(captured.intent.id);
    Object.assign(captured.intent, { status: 'succeeded', amount_received: 1490, amount_capturable: 0 });
    await carriedOut();
    await carriedOut();
    assert.deepEqual(
      stripe.refunds.filter(({ payment_intent: of }) => of === captured.intent.id).map(({ amount }) => amount),
      [1490],
      'what somebody captured at the provider all the same is given back',
    );

    const paid = await waiting();
    stripe.confirm(paid.intent.id);
    await expire(paid);
    await Promise.all([
      server.followUp(),
      paid.look(),
      told(eventOf(paid.intent, 'payment_intent.amount_capturable_updated')),
    ]);
    await settled(paid.tenant);
    assert.equal((await paid.look()).status, 'completed', 'whoever paid in time has an order, however late it is told');
    await carriedOut();
    assert.deepEqual([await requests(paid.tenant), paid.intent.status], [['capture 1490 done'], 'succeeded']);
  });

  test('is charged once, whatever befalls the questions to the provider', async () => {
    const shop = await opening(world, server)('live');
    const cup = await shop.goods.variant({ cents: 1000, stock: 5 });
    for (const fault of ['lost', 'cut', 'half', 500, 429, 409] as const) {
      const before = stripe.intents.size;
      const { id, token } = await shop.ready(cup);
      // The library tries a connection that was cut once more by itself, under the same key.
      stripe.faults.push(...(fault === 'lost' || fault === 'cut' ? [fault, fault] : [fault]));
      const asked = await shop.good(shop.send('POST', `/checkouts/${id}/complete`, card, token));
      assert.deepEqual(
        [asked.status, (asked['payment'] as { status: string }).status],
        ['completing', 'started'],
        String(fault),
      );
      const again = await shop.good(shop.send('GET', `/checkouts/${id}`, undefined, token));
      assert.equal((again['payment'] as { status: string }).status, 'requires_action', String(fault));
      assert.equal(stripe.intents.size, before + 1, 'one intent');
      const cancelled = await shop.good(shop.send('POST', `/checkouts/${id}/cancel`, undefined, token));
      assert.equal(cancelled.status, 'cancelled');
    }
    await carriedOut();
    assert.deepEqual(new Set(await requests(shop.tenant)), new Set(['void 1490 done']));
    assert.deepEqual(await shop.levels(), ['5 - 0']);
    // One whose provider does not answer until its time is over ends: what nobody was shown, nobody pays.
    const { id, token } = await shop.ready(cup);
    stripe.faults.push(500, 500);
    await shop.send('POST', `/checkouts/${id}/complete`, card, token);
    await world.admin.query(sql`
      update checkout.session set expires_at = clock_timestamp() - interval '1 second' where checkout_id = ${id}::uuid`);
    const ended = await shop.good(shop.send('GET', `/checkouts/${id}`, undefined, token));
    assert.deepEqual([ended.status, await shop.levels()], ['expired', ['5 - 0']]);
  });

  test('captures with what is sent first, gives back by the provider once, and tells people what it refuses', async () => {
    const { tenant, context, intent, confirm } = await waiting();
    await world.admin.query(sql`
      insert into orders.payment_setting (tenant_id, capture_at, manual_methods) values (${tenant}::uuid, 'fulfilment', '[]')`);
    stripe.confirm(intent.id);
    const done = await confirm();
    const orderId = done.order?.id ?? '';
    assert.equal(done.status, 'completed');
    assert.deepEqual(await requests(tenant), []);
    await fulfilOrder(context, { orderId });
    assert.deepEqual(await requests(tenant), ['capture 1490 asked']);
    for (const faults of [['cut', 'cut'], [500], []] as const) {
      stripe.faults.push(...faults);
      await carriedOut();
    }
    assert.deepEqual([await requests(tenant), intent.amount_received], [['capture 1490 done'], 1490]);
    assert.deepEqual(await order(tenant), { paid: 'paid', captured: 1490, refunded: 0, authorized: 0 });

    const asked = { orderId, adjustment: eur('4.90'), reason: 'other' as const, reference: 'R-1' };
    await Promise.all([refundOrder(context, asked), refundOrder(context, asked)]);
    for (const faults of [['cut', 'cut'], ['half'], [503], []] as const) {
      stripe.faults.push(...faults);
      await carriedOut();
    }
    const made = stripe.refunds.filter(({ payment_intent: of }) => of === intent.id);
    assert.deepEqual([made.map(({ amount }) => amount), (await requests(tenant)).at(-1)], [[490], 'refund 490 done']);
    const [refund] = made;
    assert.ok(refund !== undefined);
    Object.assign(refund, { status: 'failed', failure_reason: 'expired_or_canceled_card' });
    // Whoever knows the secret of an account for tests says nothing of live money.
    const forTests = await server.connectCards(tenant, false, { signing: 'whsec_of_tests', apiKey: 'sk_test_ours' });
    const forged = eventOf(refund, 'refund.failed', { livemode: false });
    assert.equal(await told(forged, 'whsec_of_tests', forTests), 200);
    await settled(tenant);
    assert.equal((await requests(tenant)).at(-1), 'refund 490 done');
    const event = eventOf(refund, 'refund.failed');
    assert.deepEqual([await told(event), await told(event)], [200, 200]);
    await settled(tenant);
    assert.equal((await requests(tenant)).at(-1), 'refund 490 refused expired_or_canceled_card');
    const refusals = await world.admin.query(sql`
      select event::jsonb #>> '{payload,reason}' as reason from audit.event
      where tenant_id = ${tenant}::uuid and event::jsonb ->> 'type' = 'commerce.payment.refused'`);
    assert.deepEqual(refusals, [{ reason: 'expired_or_canceled_card' }]);
  });

  test('is edited while its capture waits: what is being taken is demanded by nothing else, and what it is too much goes back once', async () => {
    const { tenant, context, intent, confirm } = await waiting(2);
    stripe.confirm(intent.id);
    const orderId = (await confirm()).order?.id ?? '';
    assert.deepEqual(await requests(tenant), ['capture 2490 asked']);
    const nobody = (): never => assert.fail('nothing is added and nobody is noted');
    const ports = { quoteEdit: async () => nobody(), noteOnTimeline: async () => undefined, mediaAt: '' };
    const now = await orderOf(context, orderId);
    const lower = [{ lineId: now.lines[0]?.id ?? '', quantity: 1 }];
    const { order: edited } = await editOrder(context, { orderId, version: now.version, lines: lower }, ports);
    assert.equal(edited.total.amount, '14.90');
    const awaited = async (): Promise<unknown[]> =>
      world.admin.query(sql`
        select amount - captured - voided as open from orders.payment
        where tenant_id = ${tenant}::uuid and state = 'awaiting'`);
    assert.deepEqual(await awaited(), []);
    const cancel = async () =>
      cancelOrder(context, { orderId, reason: 'customer' }, { releaseDiscounts: async () => undefined });
    await assert.rejects(cancel(), { code: 'order_paid' }, 'nobody is charged for what is cancelled');
    for (const faults of [['cut', 'cut'], []] as const) {
      stripe.faults.push(...faults);
      await carriedOut();
    }
    const taken = await orderOf(context, orderId);
    assert.deepEqual(
      [taken.captured.amount, taken.balanceDue.amount, taken.toGiveBack.amount, await awaited()],
      ['24.90', '0.00', '10.00', []],
    );
    const balance = { orderId, balance: eur('10.00'), reason: 'other' as const };
    const twice = await Promise.allSettled([refundOrder(context, balance), refundOrder(context, balance)]);
    assert.deepEqual(twice.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    await carriedOut();
    const made = stripe.refunds.filter(({ payment_intent: of }) => of === intent.id);
    assert.deepEqual(
      [made.map(({ amount }) => amount), await order(tenant)],
      [[1000], { paid: 'paid', captured: 2490, refunded: 1000, authorized: 0 }],
    );
  });

  test('is edited while its capture waits, and is owed what it then costs where the capture is refused', async () => {
    const { tenant, context, intent, confirm } = await waiting(2);
    stripe.confirm(intent.id);
    const orderId = (await confirm()).order?.id ?? '';
    const ports = { quoteEdit: async () => assert.fail(), noteOnTimeline: async () => undefined, mediaAt: '' };
    const now = await orderOf(context, orderId);
    const lower = [{ lineId: now.lines[0]?.id ?? '', quantity: 1 }];
    await editOrder(context, { orderId, version: now.version, lines: lower }, ports);
    Object.assign(intent, { status: 'canceled', amount_capturable: 0, cancellation_reason: 'automatic' });
    await carriedOut();
    const owed = await orderOf(context, orderId);
    assert.deepEqual(
      [owed.balanceDue.amount, owed.captured.amount, await requests(tenant)],
      ['14.90', '0.00', ['capture 2490 refused automatic']],
    );
  });

  test('of which the authorization is gone when it is captured owes its money again', async () => {
    const { tenant, context, intent, confirm } = await waiting();
    stripe.confirm(intent.id);
    const { order: placed } = await confirm();
    Object.assign(intent, { status: 'canceled', amount_capturable: 0, cancellation_reason: 'automatic' });
    await carriedOut();
    assert.deepEqual(await requests(tenant), ['capture 1490 refused automatic']);
    assert.deepEqual(await order(tenant), { paid: 'pending', captured: 0, refunded: 0, authorized: 0 });
    await cancelOrder(
      context,
      { orderId: placed?.id ?? '', reason: 'customer' },
      { releaseDiscounts: async () => undefined },
    );
  });

  test('takes the account that its tenant connected, of the mode of the key, and no other', async () => {
    await using own = await openStripe({ key: 'sk_test_ours', live: false });
    // The address of the provider is the deployment's affair, so another process stands for another provider.
    const second = await world.start({ cards: { ...cardsAt(own.url), account: undefined } });
    const shop = await opening(world, second)('test');
    const cup = await shop.goods.variant({ cents: 1000 });
    const handlers = async () =>
      ((await shop.ready(cup))['paymentHandlers'] as { handler: string }[]).map(({ handler }) => handler);
    assert.deepEqual(await handlers(), ['manual', 'test']);
    await second.connectCards(shop.tenant, true, { signing: 'whsec_live_of_ours', apiKey: 'sk_live_ours' });
    assert.deepEqual(await handlers(), ['manual', 'test'], 'of the other mode');
    const connection = await second.connectCards(shop.tenant, false, {
      signing: 'whsec_test_of_ours',
      apiKey: 'sk_test_ours',
    });
    assert.deepEqual(await handlers(), ['card', 'manual', 'test']);
    const { id, token } = await shop.ready(cup);
    const asked = await shop.good(shop.send('POST', `/checkouts/${id}/complete`, card, token));
    assert.deepEqual((asked['payment'] as { action: unknown }).action, { kind: 'stripe', publishableKey: 'pk_ours' });
    const [intent] = own.intents.values();
    assert.ok(intent !== undefined);
    own.confirm(intent.id);
    const event = eventOf(intent, 'payment_intent.amount_capturable_updated', { livemode: false });
    assert.equal(await told(event, 'whsec_live_of_ours', connection), 401);
    assert.equal(await told({ ...event, livemode: true }, 'whsec_test_of_ours', connection), 400);
    assert.equal(await told(event, 'whsec_test_of_ours', connection), 200);
    // Whichever process is first reads it anew by its own provider, so this one is asked.
    const done = await shop.good(shop.send('POST', `/checkouts/${id}/confirm`, {}, token));
    assert.deepEqual([done.status, done['mode']], ['completed', 'test']);
  });

  test('and what its provider sent of its buyer is kept until that buyer is erased, and no longer', async () => {
    const { tenant, context, intent, confirm } = await waiting();
    stripe.confirm(intent.id);
    const about = async (email: string, metadata: object): Promise<void> => {
      const charge = { id: `ch_${email}`, object: 'charge', metadata, billing_details: { name: 'Ann Bo', email } };
      assert.equal(await told(eventOf({ ...charge, metadata }, 'charge.updated')), 200);
    };
    const ours = { tenant_id: tenant };
    await about('ANN@example.com', ours);
    await about('somebody.else@example.com', ours);
    // The address is another one, and the checkout is Ann's.
    await about('wallet@example.com', intent.metadata);
    const { order: placed } = await confirm();
    await settled(tenant);
    const [ann] = await world.admin.query<{ contact_id: string }>(
      sql`select contact_id from orders.sales_order where tenant_id = ${tenant}::uuid and order_id = ${placed?.id ?? ''}::uuid`,
    );
    const kept = async (): Promise<string[]> =>
      (
        await world.admin.query<{ body: Buffer | null; headers: object | null }>(
          sql`select body, headers from callbacks.delivery where tenant_id = ${tenant}::uuid order by received_at, delivery_id`,
        )
      ).map(({ body }) => /"email":"(?<email>[^"]+)"/.exec(String(body))?.groups?.['email'] ?? 'erased');
    assert.deepEqual(await kept(), ['ANN@example.com', 'somebody.else@example.com', 'wallet@example.com']);
    await eraseContact(context, { contactId: ann?.contact_id ?? '', reason: 'requested' });
    assert.deepEqual(await kept(), ['erased', 'somebody.else@example.com', 'erased']);
  });

  test('takes nothing from events that are forged, of the other mode or of somebody else', async () => {
    const { tenant, intent, rows, look } = await waiting();
    const event = eventOf(
      { ...intent, status: 'requires_capture', amount_capturable: 1490 },
      'payment_intent.amount_capturable_updated',
    );
    assert.equal(await told(event, 'whsec_another0123456789'), 401);
    assert.equal(await told({ ...event, livemode: false }), 400);
    assert.equal(
      await told({
        ...event,
        data: { object: { ...intent, metadata: { ...intent.metadata, tenant_id: randomUUID() } } },
      }),
      200,
    );
    // What an account that is connected to ours notes on its own intents.
    const connected = { ...event, id: 'evt_of_connected', account: 'acct_connected' };
    assert.equal(await told(connected), 200);
    const [claimed] = await world.admin.query<{ tenant_id: string }>(
      sql`select tenant_id from callbacks.delivery where event_id = ${connected.id}`,
    );
    assert.equal(claimed?.tenant_id, '00000000-0000-0000-0000-000000000000');
    // Genuine, and not true any more: it is read anew.
    assert.equal(await told({ ...event, id: 'evt_said_too_early' }), 200);
    await settled(tenant);
    assert.deepEqual([(await look()).status, await rows('orders.sales_order')], ['completing', 0]);
  });
});
