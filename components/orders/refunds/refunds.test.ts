import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { money, newId, parseAmount } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import fc from 'fast-check';
import { attachPayments, authorize, beginPayment, type Order, settlePayment } from '../component.ts';
import { fulfilOrder } from '../fulfilments/fulfil.ts';
import { getOrder } from '../orders/get.ts';
import { byDoor, createWorld, placing, refused, selling, type World } from '../fixtures/world.ts';
import type { Placing } from '../orders/placing.ts';
import { getOrderPayments } from '../payments/list.ts';
import { recordOrderPayment } from '../payments/record.ts';
import { receiveReturn } from '../returns/receive.ts';
import { requestReturn } from '../returns/request.ts';
import { listRefunds } from './list.ts';
import { refundOrder } from './make.ts';
import { takenByOrders } from './taken.ts';

const refund = byDoor(refundOrder);
const record = byDoor(recordOrderPayment);
const list = byDoor(listRefunds);
const eur = (amount: string) => ({ amount, currency: 'EUR' });
const cents = (amount: { readonly amount: string; readonly currency: string }): bigint =>
  parseAmount(amount.amount, amount.currency) ?? 0n;

describe('refunds of orders', () => {
  let world: World;
  before(async () => {
    world = await createWorld(16);
  });
  after(async () => {
    try {
      assert.deepEqual(await world.told(), [], 'refunds, payments, orders and events agree');
    } finally {
      await world[Symbol.asyncDispose]();
    }
  });

  /** An order that is paid: by invoice where it is live, at once where it is of tests. */
  const paid = async (shop: TenantContext, whole: Placing, received?: string): Promise<Order> => {
    const { checkoutId, mode, total, currency } = whole;
    const how = mode === 'test' ? { handler: 'test', method: 'succeed' } : { handler: 'manual', method: 'invoice' };
    await selling(shop, async (tx) => {
      const begun = await beginPayment(tx, { checkoutId, mode, amount: total, currency, ...how });
      await settlePayment(tx, begun.id, await authorize(begun, tx.context));
    });
    const order = await world.place(shop, whole);
    await selling(shop, async (tx) => attachPayments(tx, { checkoutId, orderId: order.id }));
    if (mode === 'live')
      await record(shop, { orderId: order.id, ...(received === undefined ? {} : { amount: eur(received) }) });
    return order;
  };
  const figures = async ({ tenant }: TenantContext, { id }: Pick<Order, 'id'>) => {
    const [row] = await world.admin.query(sql`
      select captured::int, refunded::int, payment_status as status from orders.sales_order
      where tenant_id = ${tenant}::uuid and order_id = ${id}::uuid`);
    return row;
  };
  const shipping = (net: bigint, tax: bigint): NonNullable<Placing['shipping']> => ({
    optionId: newId(),
    name: 'Parcel',
    kind: 'flat',
    locationId: null,
    gross: net + tax,
    discounts: [],
    net,
    tax,
    total: net + tax,
    taxed: { treatment: 'taxed', taxId: newId(), percentage: 190_000n },
  });

  test('of single units give exactly what the line was charged, with its tax', async () => {
    const shop = await world.tenant();
    const line = fc.record({
      quantity: fc.integer({ min: 1, max: 4 }),
      unitPrice: fc.bigInt({ min: 1n, max: 9999n }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 3 }),
        fc.bigInt({ min: 1n, max: 999n }),
        async (all, tax) => {
          const order = await paid(shop, placing(all, { mode: 'test', shipping: shipping(500n, tax) }));
          const orderId = order.id;
          let sum = 0n;
          for (const { id: lineId, quantity, net, tax: taxes } of order.lines) {
            const given = { net: 0n, tax: 0n };
            for (let unit = 0; unit < quantity; unit += 1) {
              const { lines, total } = await refund(shop, { orderId, lines: [{ lineId, quantity: 1 }] });
              given.net += cents(lines[0]?.net ?? eur('0.00'));
              given.tax += cents(lines[0]?.tax ?? eur('0.00'));
              sum += cents(total);
            }
            assert.deepEqual(given, { net: cents(net), tax: cents(taxes) });
          }
          const left = cents(order.total) - sum;
          const back = await refund(shop, { orderId, shipping: money(left, 'EUR') });
          assert.deepEqual([back.shippingNet.amount, cents(back.shippingTax)], ['5.00', tax]);
          assert.equal((await figures(shop, order))?.['status'], 'refunded');
        },
      ),
      { numRuns: 5 },
    );
  });

  test('never give back more than was captured, however many at once', async () => {
    const shop = await world.tenant();
    const order = await paid(shop, placing([{ quantity: 5, unitPrice: 1000n }]), '30.00');
    const orderId = order.id;
    const [line] = order.lines;
    const racing = await Promise.allSettled([
      ...Array.from({ length: 6 }, async () => refund(shop, { orderId, lines: [{ lineId: line?.id, quantity: 1 }] })),
      ...Array.from({ length: 6 }, async () => refund(shop, { orderId, adjustment: eur('7.00') })),
    ]);
    const given = racing
      .filter((one) => one.status === 'fulfilled')
      .reduce((sum, { value }) => sum + cents(value.total), 0n);
    for (const one of racing)
      if (one.status === 'rejected')
        assert.match((one.reason as { code: string }).code, /^refund_exceeds_(captured|line)$/);
    const { captured, refunded } = (await figures(shop, order)) ?? {};
    assert.equal(captured, 3000);
    assert.equal(refunded, Number(given));
    assert.ok(given <= 3000n && given > 2300n, `${given} of 3000`);
    const over = await refused(refund(shop, { orderId, adjustment: eur('30.00') }));
    assert.deepEqual([over.code, over.status], ['refund_exceeds_captured', 409]);
  });

  test('are never of a unit twice, nor of shipping, and once by their reference', async () => {
    const shop = await world.tenant();
    const order = await paid(shop, placing([{ quantity: 3 }, { unitPrice: 500n }], { shipping: shipping(420n, 80n) }));
    const orderId = order.id;
    const [first, second] = order.lines;
    const lines = [{ lineId: first?.id, quantity: 2 }];
    const same = await Promise.all(
      Array.from({ length: 5 }, async () =>
        refund(shop, { orderId, lines, shipping: eur('2.00'), reference: 'RMA-1', reason: 'damaged', note: 'Broken.' }),
      ),
    );
    assert.equal(new Set(same.map(({ id }) => id)).size, 1);
    const [made] = same;
    assert.deepEqual(
      [made?.total.amount, made?.shippingNet.amount, made?.shippingTax.amount, made?.name],
      ['41.98', '1.68', '0.32', 'Ann Buyer'],
    );
    assert.deepEqual(
      made?.payments.map(({ method, amount, givenBackBy }) => [method, amount.amount, givenBackBy]),
      [['invoice', '41.98', 'merchant']],
    );
    assert.equal((await figures(shop, order))?.['status'], 'partially_refunded');
    for (const [asked, code, pointer] of [
      [{ lines: [{ lineId: first?.id, quantity: 2 }] }, 'refund_exceeds_line', '/lines/0/quantity'],
      [{ lines: [{ lineId: newId(), quantity: 1 }] }, 'invalid_request', '/lines/0/lineId'],
      [
        { lines: [second, second].map((one) => ({ lineId: one?.id, quantity: 1 })) },
        'invalid_request',
        '/lines/1/lineId',
      ],
      [{ lines: [{ lineId: first?.id, quantity: -1 }] }, 'invalid_request', '/lines/0/quantity'],
      [{ lines: [{ lineId: first?.id, quantity: 0.5 }] }, 'invalid_request', '/lines/0/quantity'],
      [{ shipping: eur('3.01') }, 'refund_exceeds_line', '/shipping'],
      [{ shipping: { amount: '1.00', currency: 'USD' } }, 'invalid_request', '/shipping/currency'],
      [{ adjustment: eur('0.00') }, 'invalid_request', '/adjustment/amount'],
      [{}, 'invalid_request', ''],
      [{ total: eur('1.00') }, 'invalid_request', '/total'],
    ] as const) {
      const problem = await refused(refund(shop, { orderId, ...asked }));
      assert.deepEqual([problem.code, problem.errors?.[0]?.pointer], [code, pointer]);
    }
    assert.equal((await refused(refund(shop, { orderId: newId(), adjustment: eur('1.00') }))).code, 'not_found');
    const foreign = await world.tenant();
    assert.equal((await refused(refund(foreign, { orderId, adjustment: eur('1.00') }))).code, 'not_found');
    assert.equal((await list(shop, { orderId })).items.length, 1);
    assert.equal((await refused(list(foreign, { orderId }))).code, 'not_found');
    const clerk = world.as(shop.tenant, 'bob');
    assert.notEqual((await refused(refund(clerk, { orderId, adjustment: eur('1.00') }))).code, 'internal_error');
  });

  test('of what has not left are not sent any more, and free what is reserved once nothing else is to be sent', async () => {
    const shop = await world.tenant();
    const variantId = await world.stocked(shop, 9);
    const { id: orderId, lines } = await paid(shop, placing([{ variantId, quantity: 4 }]));
    const [lineId, send] = [lines[0]?.id, byDoor(fulfilOrder)];
    const back = async (quantity: number) => refund(shop, { orderId, lines: [{ lineId, quantity }], reason: 'other' });
    await back(1);
    const over = await refused(send(shop, { orderId, lines: [{ lineId, quantity: 4 }] }));
    assert.deepEqual([over.code, over.errors?.[0]?.pointer], ['more_than_open', '/lines/0/quantity']);
    assert.match(over.errors?.[0]?.detail ?? '', /^3 are left to send: the others were paid back/);
    await send(shop, { orderId, lines: [{ lineId, quantity: 1 }] });
    // Of the one that has left; then of that which was still to be sent.
    await back(1);
    await send(shop, { orderId, lines: [{ lineId, quantity: 1 }] });
    await back(2);
    assert.equal((await refused(send(shop, { orderId }))).code, 'more_than_open');
    const [level] = await world.levels(shop, variantId);
    assert.deepEqual([level?.['on_hand'], level?.['reserved']], [7, 0]);
  });

  test('lower what is still to be paid first, and give back as money what is beyond it', async () => {
    const shop = await world.tenant();
    const begin = async (whole: Placing): Promise<Order> => {
      const { checkoutId, mode, total, currency } = whole;
      await selling(shop, async (tx) => {
        const how = { handler: 'manual', method: 'bank_transfer' };
        const begun = await beginPayment(tx, { checkoutId, mode, amount: total, currency, ...how });
        await settlePayment(tx, begun.id, await authorize(begun, tx.context));
      });
      const order = await world.place(shop, whole);
      await selling(shop, async (tx) => attachPayments(tx, { checkoutId, orderId: order.id }));
      return order;
    };
    const read = async (orderId: string) => {
      const order = await byDoor(getOrder)(shop, { orderId });
      const { credited, balanceDue, captured, refunded, paymentStatus } = order;
      const [due, ...rest] = [balanceDue, credited, captured, refunded].map(({ amount }) => amount);
      return [paymentStatus, due, ...rest];
    };
    const awaited = async (orderId: string) =>
      (await byDoor(getOrderPayments)(shop, { orderId })).payments.map(({ method, state, amount, voided }) => [
        method,
        state,
        `${amount.amount} less ${voided.amount}`,
      ]);
    const three = await begin(placing([{ quantity: 3, unitPrice: 1000n }]));
    const [line] = three.lines;
    const lines = [{ lineId: line?.id, quantity: 1 }];

    const one = await refund(shop, { orderId: three.id, lines, reference: 'A' });
    assert.deepEqual([one.credited.amount, one.total.amount, one.payments], ['10.00', '0.00', []]);
    assert.deepEqual(await read(three.id), ['pending', '20.00', '10.00', '0.00', '0.00']);
    assert.deepEqual(await awaited(three.id), [['bank_transfer', 'awaiting', '30.00 less 10.00']]);
    assert.deepEqual((await refund(shop, { orderId: three.id, lines, reference: 'A' })).id, one.id);
    assert.deepEqual(
      (await refused(record(shop, { orderId: three.id, amount: eur('20.01') }))).code,
      'amount_exceeds_open',
    );

    await record(shop, { orderId: three.id, amount: eur('15.00') });
    const two = await refund(shop, { orderId: three.id, lines });
    assert.deepEqual([two.credited.amount, two.total.amount], ['5.00', '5.00']);
    assert.deepEqual(
      two.payments.map(({ amount }) => amount.amount),
      ['5.00'],
    );
    assert.deepEqual(await read(three.id), ['partially_refunded', '0.00', '15.00', '15.00', '5.00']);
    assert.deepEqual(await awaited(three.id), [['bank_transfer', 'captured', '30.00 less 15.00']]);
    await refund(shop, { orderId: three.id, lines });
    assert.deepEqual(await read(three.id), ['refunded', '0.00', '15.00', '15.00', '15.00']);

    const whole = await begin(placing([{ quantity: 1, unitPrice: 1000n }]));
    await byDoor(fulfilOrder)(shop, { orderId: whole.id });
    const over = await refused(refund(shop, { orderId: whole.id, adjustment: eur('10.01') }));
    assert.deepEqual([over.code, over.status], ['refund_exceeds_captured', 409]);
    await refund(shop, { orderId: whole.id, lines: [{ lineId: whole.lines[0]?.id, quantity: 1 }] });
    assert.deepEqual(await read(whole.id), ['voided', '0.00', '10.00', '0.00', '0.00']);
    assert.equal((await byDoor(getOrder)(shop, { orderId: whole.id })).status, 'closed');
    assert.deepEqual(await awaited(whole.id), [['bank_transfer', 'voided', '10.00 less 10.00']]);

    // What buyers owe no more counts against the limits of whoever decides it, once: not again where its payment was given up before.
    const [given] = await world.admin.query<{ events: never[] }>(sql`
      select json_agg(json_build_object('type', e.type, 'payload', e.event::jsonb -> 'payload')) as events from audit.event e
      where e.tenant_id = ${shop.tenant}::uuid and e.event::jsonb -> 'payload' ->> 'order_id' = ${whole.id}`);
    assert.deepEqual(takenByOrders(given?.events ?? [])?.flows, [{ currency: 'EUR', out: 0n, owed: 1000n }]);
  });

  test('many at once never lower what is to be paid, and give back, more than the order came to', async () => {
    const shop = await world.tenant();
    const order = await paid(shop, placing([{ quantity: 3, unitPrice: 1000n }]), '12.00');
    const orderId = order.id;
    const tried = await Promise.allSettled([
      ...Array.from({ length: 8 }, async () => refund(shop, { orderId, adjustment: eur('7.00') })),
      ...Array.from({ length: 3 }, async () => record(shop, { orderId, amount: eur('6.00') })),
    ]);
    for (const one of tried)
      if (one.status === 'rejected')
        assert.match(
          (one.reason as { code: string }).code,
          /^(refund_exceeds_captured|amount_exceeds_open|payment_state)$/,
        );
    const { credited, balanceDue, captured, refunded } = await byDoor(getOrder)(shop, { orderId });
    assert.equal(cents(captured) + cents(credited) + cents(balanceDue), 3000n);
    const { items } = await list(shop, { orderId });
    assert.equal(
      items.reduce((sum, one) => sum + cents(one.total) + cents(one.credited), 0n),
      cents(refunded) + cents(credited),
    );
    assert.equal(items.length, 4, 'four times 7.00 of 30.00');
  });

  test('of units that came back are of their return, which they settle: no line of it is paid back beside it', async () => {
    const shop = await world.tenant();
    const order = await paid(shop, placing([{ quantity: 3, unitPrice: 1000n }, {}]));
    const orderId = order.id;
    await byDoor(fulfilOrder)(shop, { orderId });
    const [line, other] = order.lines;
    const lines = [{ lineId: line?.id, quantity: 1 }];
    const { id: returnId } = await byDoor(requestReturn)(shop, { orderId, lines });
    await byDoor(receiveReturn)(shop, { returnId });
    const over = await refused(refund(shop, { orderId, lines: [{ lineId: other?.id, quantity: 1 }, ...lines] }));
    assert.deepEqual([over.code, over.errors?.[0]?.pointer], ['return_state', '/lines/1/lineId']);
    assert.ok(over.errors?.[0]?.detail.includes(returnId));
    assert.equal((await refund(shop, { orderId, returnId })).total.amount, '10.00');
    assert.equal((await refund(shop, { orderId, lines })).total.amount, '10.00', 'of one that stays with the buyer');
  });

  test('are money that leaves, unless they are of tests', async () => {
    const shop = await world.tenant({ alice: 'owner', carol: 'developer' });
    assert.equal(
      (await refused(refund(world.as(shop.tenant, 'carol'), { orderId: newId(), adjustment: eur('1.00') }))).code,
      'insufficient_role',
    );
    const events = (mode: string, ...amounts: string[]) =>
      amounts.map(
        (amount) => ({ type: 'commerce.payment.refunded', payload: { mode, currency: 'EUR', amount } }) as never,
      );
    assert.equal(takenByOrders(events('test', '5.00')), undefined);
    assert.deepEqual(takenByOrders(events('live', '5.00', '0.50')), {
      flows: [{ currency: 'EUR', out: 550n, owed: 0n }],
      to: undefined,
    });
    const given = (mode: string, source_kind: string) =>
      takenByOrders([
        { type: 'commerce.payment.voided', payload: { mode, currency: 'EUR', amount: '3.00', source_kind } } as never,
      ]);
    assert.deepEqual(given('live', 'member')?.flows, [{ currency: 'EUR', out: 0n, owed: 300n }]);
    assert.deepEqual(given('live', 'refund')?.flows, [{ currency: 'EUR', out: 0n, owed: 300n }]);
    assert.equal(given('test', 'member'), undefined);
    assert.equal(given('live', 'order'), undefined, 'what a cancelled order gives up was never sent');
  });

  test('of what has not left leave nothing to send: the order is fulfilled and closed once the rest has left', async () => {
    const shop = await world.tenant();
    const of = async (quantity: number) => {
      const variantId = await world.stocked(shop, 10);
      return paid(shop, placing([{ variantId, quantity, unitPrice: 1000n }]));
    };
    const statuses = async ({ id }: Order): Promise<[string, string, number | undefined]> => {
      const { fulfilmentStatus, status, lines } = await byDoor(getOrder)(shop, { orderId: id });
      return [fulfilmentStatus, status, lines[0]?.unitsToFulfil];
    };
    const giveBack = async (order: Order, quantity: number): Promise<void> => {
      const lines = [{ lineId: order.lines[0]?.id ?? '', quantity }];
      await refund(shop, { orderId: order.id, lines, reason: 'other' });
    };
    const send = byDoor(fulfilOrder);
    const part = async (order: Order, quantity: number): Promise<void> =>
      void (await send(shop, { orderId: order.id, lines: [{ lineId: order.lines[0]?.id ?? '', quantity }] }));

    const before = await of(3);
    await giveBack(before, 1);
    assert.deepEqual(await statuses(before), ['unfulfilled', 'open', 2]);
    await part(before, 1);
    assert.deepEqual(await statuses(before), ['partially_fulfilled', 'open', 1]);
    // Of those that have left.
    await giveBack(before, 1);
    assert.deepEqual(await statuses(before), ['partially_fulfilled', 'open', 1]);
    await send(shop, { orderId: before.id });
    assert.deepEqual(await statuses(before), ['fulfilled', 'closed', 0]);

    const between = await of(3);
    await part(between, 2);
    await giveBack(between, 3);
    assert.deepEqual(await statuses(between), ['fulfilled', 'closed', 0]);

    const all = await of(2);
    await giveBack(all, 2);
    assert.deepEqual(await statuses(all), ['unfulfilled', 'closed', 0]);
  });
});
