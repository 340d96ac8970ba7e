import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import {
  attachPayments,
  authorize,
  beginPayment,
  confirm,
  handlersFor,
  instructionsFor,
  lookUp,
  type Mode,
  type Order,
  type Payment,
  paymentOfCheckout,
  settlePayment,
  voidPayment,
} from '../component.ts';
import { byDoor, createWorld, placing, refused, selling, type World } from '../fixtures/world.ts';
import { captureAtFulfilment, voidPayments } from './attach.ts';
import { captureOrderPayment } from './capture-order.ts';
import { getOrderPayments } from './list.ts';
import { recordOrderPayment } from './record.ts';
import { getPaymentSettings, updatePaymentSettings } from './settings.ts';
import { paymentTools } from './tools.ts';
import { voidOrderPayment } from './void-order.ts';

const record = byDoor(recordOrderPayment);
const captureNow = byDoor(captureOrderPayment);
const voidNow = byDoor(voidOrderPayment);
const change = byDoor(updatePaymentSettings);
const eur = (amount: string) => ({ amount, currency: 'EUR' });

interface Paying {
  readonly checkoutId?: string;
  readonly mode?: Mode;
  readonly handler?: string;
  readonly method?: string;
  readonly amount?: bigint;
}

const begin = async (context: TenantContext, paying: Paying = {}): Promise<Payment> =>
  selling(context, async (tx) =>
    beginPayment(tx, {
      checkoutId: newId(),
      mode: 'test',
      handler: 'test',
      method: 'succeed',
      amount: 1999n,
      currency: 'EUR',
      ...paying,
    }),
  );
const settle = async (context: TenantContext, payment: Payment, outcome: Parameters<typeof settlePayment>[2]) =>
  selling(context, async (tx) => settlePayment(tx, payment.id, outcome));

describe('payments of orders', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => {
    try {
      assert.deepEqual(await world.told(), [], 'payments, orders and events agree');
    } finally {
      await world[Symbol.asyncDispose]();
    }
  });

  /** An order of 19.99 EUR that is paid as its checkout was. */
  const ordered = async (
    shop: TenantContext,
    { mode = 'live', handler = 'manual', method = 'invoice' }: Paying = {},
  ): Promise<{ readonly order: Order; readonly payment: Payment }> => {
    const whole = placing([{}], { mode });
    const begun = await begin(shop, { checkoutId: whole.checkoutId, mode, handler, method });
    await settle(shop, begun, await authorize(begun, shop));
    const order = await world.place(shop, whole);
    await selling(shop, async (tx) => attachPayments(tx, { checkoutId: whole.checkoutId, orderId: order.id }));
    const payment = await paymentOfCheckout(shop.require({ name: 'any', roles: new Set(['owner']) }), whole.checkoutId);
    return { order, payment: payment ?? begun };
  };
  const figures = async ({ tenant }: TenantContext, { id }: Pick<Order, 'id'>) => {
    const [row] = await world.admin.query(sql`
      select authorized::int, captured::int, refunded::int, payment_status as status from orders.sales_order
      where tenant_id = ${tenant}::uuid and order_id = ${id}::uuid`);
    return row;
  };
  const types = async (shop: TenantContext): Promise<unknown[]> =>
    (await world.events(shop)).map(({ type }) => type).filter((type) => String(type).includes('pa'));

  test('ways to pay are proposed in words that say where buyers would pay to', async () => {
    const tool = paymentTools.find(({ name }) => name === 'service_update_payment_settings');
    const proposed = async (instructions: string, payWithinDays: number | null = null): Promise<string> => {
      const call = { context: await world.tenant(), preview: true } as never;
      const answer = await tool?.run(
        call,
        { manualMethods: [{ method: 'bank_transfer', instructions, payWithinDays }] },
        undefined,
      );
      return (answer as { summary: string }).summary;
    };
    assert.match(await proposed('IBAN\nDE02 1203'), /may also pay by bank transfer \(“IBAN DE02 1203”\)\.$/);
    const long = await proposed(`${'x'.repeat(98)}😀${'y'.repeat(500)}`);
    assert.match(long, /x😀…”\)\.$/u);
    assert.match(
      await proposed('IBAN', 14),
      /by bank transfer within 14 days, or the order is cancelled \(“IBAN”\)\.$/,
    );
  });

  test('live checkouts offer the methods that are enabled, and tests those of tests too', async () => {
    const shop = await world.tenant();
    const settings = await getPaymentSettings(shop, {});
    assert.deepEqual(handlersFor('live', settings), [{ handler: 'manual', methods: ['invoice', 'bank_transfer'] }]);
    assert.deepEqual(handlersFor('test', settings).at(-1), {
      handler: 'test',
      methods: ['succeed', 'decline', 'require_action', 'time_out'],
    });
    const changed = await change(shop, {
      manualMethods: [{ method: 'bank_transfer', instructions: 'To DE02 1203 0000 0000 2020 51' }],
    });
    assert.deepEqual(handlersFor('live', changed), [{ handler: 'manual', methods: ['bank_transfer'] }]);
    assert.match(instructionsFor(changed, { handler: 'manual', method: 'bank_transfer' }) ?? '', /^To DE02/);
    for (const [paying, pointer] of [
      [{ mode: 'live', handler: 'test' }, '/payment/handler'],
      [{ mode: 'live', handler: 'card', method: 'card' }, '/payment/handler'],
      [{ mode: 'live', handler: 'manual', method: 'invoice' }, '/payment/method'],
      [{ method: 'free' }, '/payment/method'],
    ] as const)
      assert.equal((await refused(begin(shop, paying))).errors?.[0]?.pointer, pointer);
    const none = await change(shop, { manualMethods: [] });
    assert.deepEqual(handlersFor('live', none), []);
    assert.equal(none.version, 3);
    assert.equal((await change(shop, { captureAt: 'placement' })).version, 3, 'nothing changed');
    const twice = [{ method: 'invoice' }, { method: 'invoice' }];
    assert.equal((await refused(change(shop, { manualMethods: twice }))).code, 'method_repeated');
    const clerk = await world.tenant({ alice: 'developer' });
    assert.equal((await refused(change(clerk, { captureAt: 'fulfilment' }))).code, 'insufficient_role');
  });

  test('the handler of tests authorizes, declines, asks for a step, and says later what it did not answer', async () => {
    const shop = await world.tenant();
    const became = async (method: string) => {
      const begun = await begin(shop, { method });
      return settle(shop, begun, await authorize(begun, shop));
    };
    assert.equal((await became('succeed')).state, 'authorized');
    const declined = await became('decline');
    assert.deepEqual([declined.state, declined.declineReason], ['declined', 'test_decline']);

    const asking = await became('require_action');
    assert.deepEqual(
      [asking.state, asking.action],
      ['requires_action', { kind: 'confirm', outcomes: ['succeed', 'decline'] }],
    );
    assert.equal((await refused(confirm(asking, { outcome: 'maybe' }, shop))).errors?.[0]?.pointer, '/outcome');
    const confirmed = await settle(shop, asking, await confirm(asking, { outcome: 'succeed' }, shop));
    assert.deepEqual([confirmed.state, confirmed.action], ['authorized', null]);
    assert.equal((await refused(confirm(confirmed, { outcome: 'succeed' }, shop))).code, 'payment_state');
    const refusing = await became('require_action');
    assert.equal(
      (await settle(shop, refusing, await confirm(refusing, { outcome: 'decline' }, shop))).state,
      'declined',
    );

    const silent = await became('time_out');
    assert.equal(silent.state, 'started');
    const found = await settle(shop, silent, await lookUp(silent, shop));
    assert.deepEqual([found.state, found.declineReason], ['declined', 'timed_out']);
  });

  test('a checkout is charged once, and again only after it was declined', async () => {
    const shop = await world.tenant();
    const checkoutId = newId();
    const many = await Promise.allSettled(
      Array.from({ length: 8 }, async () => begin(shop, { checkoutId, method: 'decline' })),
    );
    const made = many.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
    assert.equal(made.length, 1);
    for (const one of many)
      if (one.status === 'rejected') assert.equal((one.reason as { code: string }).code, 'payment_under_way');
    const [first] = made;
    assert.ok(first);
    // One answer counts, whichever comes first.
    const settled = await Promise.all(
      Array.from({ length: 6 }, async (_, at) =>
        settle(shop, first, at % 2 === 0 ? { kind: 'authorized' } : { kind: 'declined', reason: 'test_decline' }),
      ),
    );
    assert.equal(new Set(settled.map(({ state }) => state)).size, 1);
    const again = begin(shop, { checkoutId });
    if (settled[0]?.state === 'authorized') assert.equal((await refused(again)).code, 'payment_under_way');
    else assert.equal((await again).attempt, 2);

    const another = newId();
    const one = await begin(shop, { checkoutId: another, method: 'decline' });
    await settle(shop, one, await authorize(one, shop));
    assert.equal((await begin(shop, { checkoutId: another })).attempt, 2);
    assert.equal((await selling(shop, async (tx) => paymentOfCheckout(tx, another)))?.method, 'succeed');
  });

  test('what is authorized is captured at placement, or with what is sent first', async () => {
    const shop = await world.tenant();
    const testing = { mode: 'test', handler: 'test', method: 'succeed' } as const;
    const at = await ordered(shop, testing);
    assert.deepEqual(await figures(shop, at.order), { authorized: 0, captured: 1999, refunded: 0, status: 'paid' });
    assert.deepEqual(
      await types(shop),
      [
        'commerce.payment.started',
        'commerce.payment.settled',
        'commerce.order.placed',
        'commerce.payment.attached',
        'commerce.payment.captured',
        'commerce.order.paid',
      ].filter((type) => type.includes('pa')),
    );

    await change(shop, { captureAt: 'fulfilment' });
    const later = await ordered(shop, testing);
    assert.deepEqual(await figures(shop, later.order), {
      authorized: 1999,
      captured: 0,
      refunded: 0,
      status: 'authorized',
    });
    const part = await captureNow(shop, { orderId: later.order.id, amount: eur('5.00') });
    assert.deepEqual([part.moved.amount, part.payment.state], ['5.00', 'authorized']);
    const fulfilment = { orderId: later.order.id, fulfilmentId: newId() };
    await Promise.all([1, 2, 3].map(async () => selling(shop, async (tx) => captureAtFulfilment(tx, fulfilment))));
    assert.deepEqual(await figures(shop, later.order), { authorized: 0, captured: 1999, refunded: 0, status: 'paid' });
    const { payments, operations } = await getOrderPayments(shop, { orderId: later.order.id });
    assert.deepEqual(
      operations.map(({ amount }) => amount.amount),
      ['5.00', '14.99'],
    );
    assert.equal(payments[0]?.state, 'captured');
    assert.equal((await refused(captureNow(shop, { orderId: later.order.id }))).code, 'payment_state');
  });

  test('money that arrives is recorded in parts, never more than is open, also by many at once', async () => {
    const shop = await world.tenant();
    const { order } = await ordered(shop);
    assert.deepEqual(await figures(shop, order), { authorized: 0, captured: 0, refunded: 0, status: 'pending' });
    const orderId = order.id;
    const part = await record(shop, { orderId, amount: eur('9.99'), reference: 'RF18' });
    assert.equal(part.payment.captured.amount, '9.99');
    assert.equal((await figures(shop, order))?.['status'], 'partially_paid');
    const over = await refused(record(shop, { orderId, amount: eur('10.01') }));
    assert.deepEqual([over.code, over.status, over.errors?.[0]?.pointer], ['amount_exceeds_open', 409, '/amount']);
    assert.match(over.detail, /10\.00 EUR/);
    for (const [amount, pointer] of [
      [{ amount: '1.00', currency: 'USD' }, '/amount/currency'],
      [eur('1.001'), '/amount/amount'],
      [eur('0.00'), '/amount/amount'],
      [eur('-1.00'), '/amount/amount'],
    ] as const)
      assert.equal((await refused(record(shop, { orderId, amount }))).errors?.[0]?.pointer, pointer);
    const racing = await Promise.allSettled(
      Array.from({ length: 8 }, async () => record(shop, { orderId, amount: eur('4.00') })),
    );
    assert.equal(racing.filter(({ status }) => status === 'fulfilled').length, 2);
    const rest = await record(shop, { orderId });
    assert.deepEqual([rest.moved.amount, rest.payment.state], ['2.00', 'captured']);
    assert.deepEqual(await figures(shop, order), { authorized: 0, captured: 1999, refunded: 0, status: 'paid' });
    assert.equal((await refused(record(shop, { orderId }))).code, 'payment_state');
    assert.equal((await refused(record(shop, { orderId: newId() }))).code, 'not_found');
    const foreign = await world.tenant();
    assert.equal((await refused(record(foreign, { orderId }))).code, 'not_found');
    assert.equal((await refused(getOrderPayments(foreign, { orderId }))).code, 'not_found');
  });

  test('what is not captured is given up, and what is stays', async () => {
    const shop = await world.tenant();
    const { order } = await ordered(shop);
    await record(shop, { orderId: order.id, amount: eur('9.99') });
    const given = await voidNow(shop, { orderId: order.id });
    assert.deepEqual([given.moved.amount, given.payment.state], ['10.00', 'captured']);
    assert.equal((await refused(voidNow(shop, { orderId: order.id }))).code, 'payment_state');
    const another = await ordered(shop);
    await selling(shop, async (tx) => voidPayments(tx, another.order.id));
    await selling(shop, async (tx) => voidPayments(tx, another.order.id));
    const { payments } = await getOrderPayments(shop, { orderId: another.order.id });
    assert.equal(payments[0]?.state, 'voided');

    const asking = await begin(shop, { method: 'require_action' });
    const open = await settle(shop, asking, await authorize(asking, shop));
    const source = { kind: 'checkout', id: open.checkoutId };
    const gone = await selling(shop, async (tx) => voidPayment(tx, open, source));
    assert.equal(gone.state, 'voided');
    assert.equal((await settle(shop, gone, { kind: 'authorized' })).state, 'voided', 'a settled one never changes');
    assert.equal((await begin(shop, { checkoutId: open.checkoutId })).attempt, 2);
  });

  test('a payment of a test that was moved onto a live order pays it to nobody who verifies, and gives nothing back', async () => {
    const shop = await world.tenant();
    const [owing, tested] = [
      await ordered(shop),
      await ordered(shop, { mode: 'test', handler: 'test', method: 'succeed' }),
    ];
    const moved = `update orders.payment set order_id = '${owing.order.id}' where payment_id = '${tested.payment.id}'`;
    const paid = `update orders.sales_order set captured = case mode when 'live' then 1999 else 0 end
      where order_id in ('${owing.order.id}', '${tested.order.id}')`;
    const told = await world.told(`${moved}; ${paid}`);
    assert.ok(
      told.some((one) => one.includes(owing.order.id) && one.includes('figures of order')),
      told.join('; '),
    );
  });
});
