import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import {
  attachPayments,
  authorize,
  awaitElsewhere,
  beginPayment,
  editElsewhere,
  receiveElsewhere,
  settlePayment,
} from '../component.ts';
import { address, byDoor, createWorld, placing, refused, selling, type World } from '../fixtures/world.ts';
import { parcel } from '../fixtures/placing.ts';
import { fulfilOrder } from '../fulfilments/fulfil.ts';
import { deleteTestOrders } from '../orders/delete-tests.ts';
import { cancelOrder } from '../orders/cancel.ts';
import type { Order } from '../orders/order.ts';
import { eraseOrders } from '../orders/erase.ts';
import { getOrder } from '../orders/get.ts';
import { getOrderPayments } from '../payments/list.ts';
import { updatePaymentSettings } from '../payments/settings.ts';
import { recordOrderPayment } from '../payments/record.ts';
import { paymentTools } from '../payments/tools.ts';
import { refundOrder } from '../refunds/make.ts';
import { listOrderEdits } from './list.ts';
import { editOrder, previewEdit } from './make.ts';

const edit = byDoor(editOrder);
const preview = byDoor(previewEdit);
const read = byDoor(getOrder);
const payments = byDoor(getOrderPayments);
const record = byDoor(recordOrderPayment);
const refund = byDoor(refundOrder);
const fulfil = byDoor(fulfilOrder);
const cancel = byDoor(cancelOrder);
const settings = byDoor(updatePaymentSettings);
const edits = byDoor(listOrderEdits);
const eur = (amount: string) => ({ amount, currency: 'EUR' });

describe('an edit of an order', () => {
  let world: World;
  let shop: TenantContext;
  before(async () => {
    world = await createWorld();
    shop = await world.tenant();
  });
  after(async () => {
    assert.deepEqual(await world.told(), []);
    await world[Symbol.asyncDispose]();
  });

  /** Placed as a checkout does it, with its payment. */
  const place = async (
    whole: ReturnType<typeof placing>,
    choice: { handler: string; method: string } = { handler: 'manual', method: 'invoice' },
  ): Promise<Order> => {
    const made = await world.place(shop, whole);
    await selling(shop, async (tx) => {
      const { checkoutId, mode, total: amount, currency } = whole;
      const begun = await beginPayment(tx, { checkoutId, mode, amount, currency, ...choice });
      await settlePayment(tx, begun.id, await authorize(begun, tx.context));
      await attachPayments(tx, { checkoutId, orderId: made.id });
    });
    return read(shop, { orderId: made.id });
  };
  /** Of so many units of a variant at 10.00, of which there are 10. */
  const placed = async (quantity = 3, more: Parameters<typeof placing>[1] = {}) => {
    const variantId = await world.stocked(shop, 10);
    const order = await place(placing([{ variantId, quantity, unitPrice: 1000n }], more));
    return { variantId, order, lineId: order.lines[0]?.id ?? '' };
  };
  const sold = async (onHand: number, price: bigint): Promise<string> => {
    const variantId = await world.stocked(shop, onHand);
    world.sell(variantId, price);
    return variantId;
  };
  const open = async (orderId: string) =>
    (await payments(shop, { orderId })).payments.map(({ state, amount, captured, voided }) =>
      [state, amount.amount, captured.amount, voided.amount].join(' '),
    );

  test('takes units off and adds others at the present price; stock follows, and what is due', async () => {
    const { variantId, order, lineId } = await placed(3, { shipping: parcel });
    const hat = await sold(4, 1250n);
    const done = await edit(
      shop,
      {
        orderId: order.id,
        version: 1,
        lines: [{ lineId, quantity: 1 }],
        add: [{ variantId: hat, quantity: 2 }],
      },
      world.deps,
    );
    assert.deepEqual(
      done.edit.lines.map(({ title, unitPrice, before: was, after: is }) => [
        title,
        unitPrice.amount,
        was?.total.amount,
        is?.total.amount,
      ]),
      [
        ['Shirt 1', '10.00', '30.00', '10.00'],
        ['Hat', '12.50', undefined, '25.00'],
      ],
    );
    assert.deepEqual(
      [done.edit.before.total.amount, done.edit.after.total.amount, done.edit.difference.amount],
      ['34.90', '39.90', '5.00'],
    );
    assert.equal(done.order.version, 2);
    assert.deepEqual(
      [done.order.balanceDue.amount, done.order.toGiveBack.amount, done.order.units],
      ['39.90', '0.00', 3],
    );
    assert.deepEqual(await world.levels(shop, variantId), [{ on_hand: 10, reserved: 1 }]);
    assert.deepEqual(await world.levels(shop, hat), [{ on_hand: 4, reserved: 2 }]);
    assert.deepEqual(await open(order.id), ['voided 34.90 0.00 34.90', 'awaiting 39.90 0.00 0.00']);
    await record(shop, { orderId: order.id });
    assert.equal((await read(shop, { orderId: order.id })).paymentStatus, 'paid');
    assert.equal((await fulfil(shop, { orderId: order.id })).status, 'closed');
  });

  test('keeps every version readable', async () => {
    const { order, lineId } = await placed(3);
    for (const [version, quantity] of [
      [1, 2],
      [2, 1],
    ] as const)
      await edit(shop, { orderId: order.id, version, lines: [{ lineId, quantity }] }, world.deps);
    const { edits: all } = await edits(shop, { orderId: order.id });
    assert.deepEqual(
      all.map(({ version, before: was, after: is }) => [version, was.total.amount, is.total.amount]),
      [
        [3, '20.00', '10.00'],
        [2, '30.00', '20.00'],
      ],
    );
  });

  test('moves no money: what was captured too much is given back by a refund, and by that alone', async () => {
    const { order, lineId } = await placed(3);
    const orderId = order.id;
    await record(shop, { orderId });
    const done = await edit(shop, { orderId, version: 1, lines: [{ lineId, quantity: 1 }] }, world.deps);
    assert.deepEqual(
      [done.order.captured, done.order.refunded, done.order.toGiveBack].map(({ amount }) => amount),
      ['30.00', '0.00', '20.00'],
    );
    assert.equal(done.order.paymentStatus, 'paid');
    assert.equal((await refused(refund(shop, { orderId, balance: eur('20.01') }))).code, 'refund_exceeds_balance');
    await refund(shop, { orderId, balance: eur('15.00') });
    assert.equal((await refused(refund(shop, { orderId, balance: eur('5.01') }))).code, 'refund_exceeds_balance');
    await refund(shop, { orderId, balance: eur('5.00') });
    const after = await read(shop, { orderId });
    assert.deepEqual(
      [after.paymentStatus, after.toGiveBack.amount, after.balanceDue.amount, after.refunded.amount],
      ['paid', '0.00', '0.00', '20.00'],
    );
    // What is bought is refunded as ever.
    await refund(shop, { orderId, lines: [{ lineId, quantity: 1 }] });
    assert.equal((await read(shop, { orderId })).paymentStatus, 'refunded');
  });

  test('of paid money asks for the difference alone, and lets less be due of what is only promised', async () => {
    const paid = await placed(1);
    await record(shop, { orderId: paid.order.id });
    const hat = await sold(9, 700n);
    const more = await edit(
      shop,
      { orderId: paid.order.id, version: 1, add: [{ variantId: hat, quantity: 1 }] },
      world.deps,
    );
    assert.deepEqual([more.order.paymentStatus, more.order.balanceDue.amount], ['partially_paid', '7.00']);
    assert.deepEqual(await open(paid.order.id), ['captured 10.00 10.00 0.00', 'awaiting 7.00 0.00 0.00']);
    await record(shop, { orderId: paid.order.id });
    assert.equal((await read(shop, { orderId: paid.order.id })).paymentStatus, 'paid');
    const [hatLine] = more.edit.lines.slice(1);
    const less = await edit(
      shop,
      { orderId: paid.order.id, version: 2, lines: [{ lineId: hatLine?.id, quantity: 0 }] },
      world.deps,
    );
    assert.equal(less.order.toGiveBack.amount, '7.00');

    // Money that is only authorised, until something leaves.
    await settings(shop, { captureAt: 'fulfilment' });
    const variantId = await world.stocked(shop, 10);
    const promised = await place(placing([{ variantId, quantity: 3, unitPrice: 1000n }], { mode: 'test' }), {
      handler: 'test',
      method: 'succeed',
    });
    await settings(shop, { captureAt: 'placement' });
    const [first] = promised.lines;
    const orderId = promised.id;
    assert.equal(promised.authorized.amount, '30.00');
    const fewer = await edit(shop, { orderId, version: 1, lines: [{ lineId: first?.id, quantity: 2 }] }, world.deps);
    assert.deepEqual([fewer.order.authorized.amount, fewer.order.balanceDue.amount], ['20.00', '20.00']);
    const beyond = await edit(shop, { orderId, version: 2, add: [{ variantId: hat, quantity: 1 }] }, world.deps);
    assert.equal(beyond.order.balanceDue.amount, '27.00');
    assert.deepEqual(await open(orderId), ['authorized 30.00 0.00 10.00', 'awaiting 7.00 0.00 0.00']);
    const sent = await fulfil(shop, { orderId });
    assert.deepEqual([sent.captured.amount, sent.balanceDue.amount], ['20.00', '7.00']);
  });

  test('what arrives then is told with what is to be paid then', async () => {
    const { order, lineId } = await placed(3);
    await edit(shop, { orderId: order.id, version: 1, lines: [{ lineId, quantity: 1 }] }, world.deps);
    const tool = paymentTools.find(({ name }) => name === 'service_record_order_payment');
    const asked = { orderId: order.id, amount: eur('4.00') };
    const told = await tool?.run({ context: shop, preview: false } as never, asked, undefined);
    assert.match((told as { summary: string }).summary, /; 4\.00 EUR of 10\.00 EUR are paid then\.$/);
  });

  test('keeps the share of discounts that the units that stay have, to the unit, whichever steps lead there', async () => {
    const whole = placing([{ quantity: 7, unitPrice: 333n }]);
    const discountId = newId();
    const lowered = (quantity: number) => {
      const off = (2n * 100n * BigInt(quantity) + 7n) / 14n;
      return 333n * BigInt(quantity) - off;
    };
    const [line] = whole.lines;
    const paid = lowered(7);
    const net = (paid * 2_000_000n + 1_190_000n) / 2_380_000n;
    const sums = { net, tax: paid - net, total: paid };
    const discounted = {
      ...whole,
      ...sums,
      discount: 100n,
      discounts: [{ discountId, name: 'Sale', code: null, amount: 100n }],
      lines: line === undefined ? [] : [{ ...line, ...sums, discounts: [{ discountId, amount: 100n }] }],
      taxes: [{ ...whole.taxes[0], ...sums } as never],
    };
    const stepwise = await place({ ...discounted, checkoutId: newId() });
    for (const [at, quantity] of [6, 5, 3, 2].entries()) {
      const lines = [{ lineId: line?.id, quantity }];
      const done = await edit(shop, { orderId: stepwise.id, version: at + 1, lines }, world.deps);
      assert.equal(Number(done.order.total.amount.replace('.', '')), Number(lowered(quantity)));
      assert.equal(
        Number(done.order.discounts[0]?.amount.amount.replace('.', '')),
        Number(333n * BigInt(quantity) - lowered(quantity)),
      );
    }
  });

  test('leaves what has left, and what was paid back', async () => {
    const { order, lineId } = await placed(3);
    const orderId = order.id;
    await record(shop, { orderId });
    await fulfil(shop, { orderId, lines: [{ lineId, quantity: 2 }] });
    const lowered = (quantity: number, version = 1) =>
      edit(shop, { orderId, version, lines: [{ lineId, quantity }] }, world.deps);
    assert.equal((await refused(lowered(1))).code, 'more_than_open');
    const moved = edit(shop, { orderId, version: 1, shippingAddress: { ...address, city: 'Bonn' } }, world.deps);
    assert.equal((await refused(moved)).code, 'order_fulfilled');
    const done = await lowered(2);
    assert.deepEqual([done.order.fulfilmentStatus, done.order.status], ['fulfilled', 'closed']);
    assert.equal((await refused(lowered(1, 2))).code, 'order_fulfilled');

    const other = await placed(3);
    await record(shop, { orderId: other.order.id });
    await refund(shop, { orderId: other.order.id, lines: [{ lineId: other.lineId, quantity: 1 }] });
    const lines = [{ lineId: other.lineId, quantity: 1 }];
    assert.equal(
      (await refused(edit(shop, { orderId: other.order.id, version: 1, lines }, world.deps))).code,
      'line_refunded',
    );
  });

  test('goes to another address, and is taxed there', async () => {
    const { order } = await placed(1, { shipping: parcel });
    const same = await edit(
      shop,
      { orderId: order.id, version: 1, shippingAddress: { ...address, line1: 'Torstr. 2' } },
      world.deps,
    );
    assert.deepEqual([same.edit.difference.amount, same.edit.readdressed], ['0.00', true]);
    assert.equal(same.order.shippingAddress?.line1, 'Torstr. 2');
    assert.deepEqual(same.order.taxes, order.taxes);
    const abroad = await edit(
      shop,
      { orderId: order.id, version: 2, shippingAddress: { ...address, city: 'Wien', postcode: '1010', country: 'AT' } },
      world.deps,
    );
    // Prices contain their tax: the total stays, and a sixth of it is tax.
    assert.deepEqual(
      [abroad.order.country, abroad.order.total.amount, abroad.order.tax.amount, abroad.order.taxes.length],
      ['AT', '14.90', '2.49', 1],
    );
    const buyerless = await placed(1, { shippingAddress: null });
    const moved = edit(shop, { orderId: buyerless.order.id, version: 1, shippingAddress: address }, world.deps);
    assert.deepEqual((await refused(moved)).errors?.[0]?.code, 'not_shipped');
  });

  test('a preview answers what an edit would, and changes nothing', async () => {
    const { variantId, order, lineId } = await placed(3);
    const asked = { orderId: order.id, version: 1, lines: [{ lineId, quantity: 1 }] };
    const would = await preview(shop, asked, world.deps);
    assert.equal(would.edit.difference.amount, '-20.00');
    assert.deepEqual(await read(shop, { orderId: order.id }), order);
    assert.deepEqual(await world.levels(shop, variantId), [{ on_hand: 10, reserved: 3 }]);
    assert.deepEqual((await edits(shop, { orderId: order.id })).edits, []);
    const done = await edit(shop, asked, world.deps);
    const essence = ({ edit: { lines, before: was, after: is, difference } }: typeof done) => [
      lines,
      was,
      is,
      difference,
    ];
    assert.deepEqual(essence(done), essence(would));
  });

  test('refuses what is no edit, and leaves nothing half done', async () => {
    const { variantId, order, lineId } = await placed(3);
    const orderId = order.id;
    const hat = await sold(2, 700n);
    const unsold = await world.stocked(shop, 5);
    const stranger = await world.tenant({ mallory: 'owner' });
    const add = (id: string, quantity: number) => ({ orderId, version: 1, add: [{ variantId: id, quantity }] });
    const wrong: readonly (readonly [string, object])[] = [
      ['invalid_request', { orderId, version: 1 }],
      ['invalid_request', { ...add(hat, 1), price: '0.01' }],
      ['invalid_request', { orderId, version: 1, add: [{ variantId: hat, quantity: 1, unitPrice: eur('0.01') }] }],
      ['invalid_request', { orderId, version: 1, lines: [{ lineId, quantity: 1, unitPrice: eur('0.01') }] }],
      ['invalid_request', { orderId, version: 1, discount: eur('5.00'), lines: [{ lineId, quantity: 1 }] }],
      ['invalid_request', { orderId, version: 1, currency: 'USD', lines: [{ lineId, quantity: 1 }] }],
      ['invalid_request', add(unsold, 1)],
      ['invalid_request', add(newId(), 1)],
      ['invalid_request', add(hat, 0)],
      ['invalid_request', add(hat, -1)],
      ['invalid_request', add(hat, 1.5)],
      ['invalid_request', { orderId, version: 1, add: [1, 1].map((quantity) => ({ variantId: hat, quantity })) }],
      [
        'invalid_request',
        { orderId, version: 1, add: Array.from({ length: 501 }, () => ({ variantId: newId(), quantity: 1 })) },
      ],
      [
        'invalid_request',
        { orderId, version: 1, add: Array.from({ length: 500 }, () => ({ variantId: newId(), quantity: 1 })) },
      ],
      ['invalid_request', { orderId, version: 1, lines: [{ lineId, quantity: -1 }] }],
      ['invalid_request', { orderId, version: 1, lines: [{ lineId, quantity: 3 }] }],
      ['invalid_request', { orderId, version: 1, lines: [{ lineId, quantity: 4 }] }],
      ['invalid_request', { orderId, version: 1, lines: [{ lineId, quantity: 0 }] }],
      ['invalid_request', { orderId, version: 1, lines: [{ lineId: newId(), quantity: 0 }] }],
      ['invalid_request', { orderId, version: 1, lines: [2, 1].map((quantity) => ({ lineId, quantity })) }],
      ['stock_insufficient', add(hat, 3)],
      ['order_changed', { ...add(hat, 1), version: 2 }],
      ['not_found', { ...add(hat, 1), orderId: newId() }],
    ];
    for (const [code, asked] of wrong) {
      const problem = await refused(edit(shop, asked, world.deps).then((answer) => JSON.stringify(answer)));
      assert.equal(problem.code, code, JSON.stringify(asked).slice(0, 200));
    }
    assert.equal((await refused(edit(stranger, add(hat, 1), world.deps))).code, 'not_found');
    for (const role of ['accountant', 'viewer'] as const) {
      const elsewhere = await world.tenant({ carol: role });
      assert.equal((await refused(edit(elsewhere, add(hat, 1), world.deps))).status, 403);
    }
    assert.deepEqual(await read(shop, { orderId }), order);
    assert.deepEqual(await world.levels(shop, variantId), [{ on_hand: 10, reserved: 3 }]);
    assert.deepEqual(await world.levels(shop, hat), [{ on_hand: 2, reserved: 0 }]);
    await cancel(shop, { orderId, reason: 'other' }, world.deps);
    assert.equal((await refused(edit(shop, add(hat, 1), world.deps))).code, 'order_cancelled');
    const gone = await placed(1);
    await selling(shop, async (tx) => eraseOrders(tx, { orderIds: [gone.order.id] }, 'asked'));
    const late = { orderId: gone.order.id, version: 1, add: [{ variantId: hat, quantity: 1 }] };
    assert.equal((await refused(edit(shop, late, world.deps))).code, 'order_erased');
  });

  test('prices that are with tax in the order and without it now are added to no order', async () => {
    const { order } = await placed(1);
    const hat = await sold(2, 700n);
    const other = {
      ...world.deps,
      quoteEdit: async (...given: Parameters<typeof world.deps.quoteEdit>) => ({
        ...(await world.deps.quoteEdit(...given)),
        pricing: 'exclusive' as const,
      }),
    };
    const asked = { orderId: order.id, version: 1, add: [{ variantId: hat, quantity: 1 }] };
    assert.equal((await refused(edit(shop, asked, other))).code, 'other_price');
  });

  test('is made at the total that its preview showed, or not at all', async () => {
    const { order } = await placed(1);
    const hat = await sold(2, 700n);
    const asked = { orderId: order.id, version: 1, add: [{ variantId: hat, quantity: 1 }] };
    const shown = (await preview(shop, asked, world.deps)).edit.after.total;
    world.sell(hat, 99_900n);
    for (const one of [edit, preview]) {
      const problem = await refused(one(shop, { ...asked, total: shown }, world.deps));
      assert.deepEqual([problem.status, problem.code, problem.errors?.[0]?.pointer], [409, 'other_price', '/total']);
      assert.match(problem.detail, /1009\.00 EUR.* 17\.00 EUR/);
    }
    assert.deepEqual(await read(shop, { orderId: order.id }), order);
    assert.deepEqual(await world.levels(shop, hat), [{ on_hand: 2, reserved: 0 }]);
    const now = (await preview(shop, asked, world.deps)).edit.after.total;
    for (const total of [
      { ...now, currency: 'USD' },
      { ...now, amount: '1009' },
    ])
      assert.equal((await refused(edit(shop, { ...asked, total }, world.deps))).code, 'other_price');
    assert.equal((await edit(shop, { ...asked, total: now }, world.deps)).order.total.amount, '1009.00');
  });

  test('of many at once one wins, whatever else happens to the order', async () => {
    const { variantId, order, lineId } = await placed(3);
    const orderId = order.id;
    const lines = [{ lineId, quantity: 1 }];
    const asked = Array.from({ length: 8 }, () => edit(shop, { orderId, version: 1, lines }, world.deps));
    const done = await Promise.allSettled(asked);
    assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const one of done)
      if (one.status === 'rejected') assert.equal((one.reason as { code?: string }).code, 'order_changed');
    assert.deepEqual(await world.levels(shop, variantId), [{ on_hand: 10, reserved: 1 }]);

    for (let round = 0; round < 4; round += 1) {
      const at = await placed(3);
      const given = { orderId: at.order.id, version: 1, lines: [{ lineId: at.lineId, quantity: 1 }] };
      await Promise.allSettled([
        edit(shop, given, world.deps),
        fulfil(shop, { orderId: at.order.id }),
        cancel(shop, { orderId: at.order.id, reason: 'other' }, world.deps),
        record(shop, { orderId: at.order.id, amount: eur('10.00') }),
        refund(shop, { orderId: at.order.id, lines: [{ lineId: at.lineId, quantity: 1 }] }),
      ]);
      const { status, units, unitsFulfilled } = await read(shop, { orderId: at.order.id });
      const [level] = await world.levels(shop, at.variantId);
      assert.equal(level?.['on_hand'], 10 - unitsFulfilled);
      // A unit that was paid back before it left is reserved no more, where nothing else is to be sent.
      const most = status === 'cancelled' ? 0 : units - unitsFulfilled;
      assert.ok(Number(level?.['reserved']) <= most, `${String(level?.['reserved'])} of ${most}`);
    }
  });

  test('never oversells: of many orders that add the last piece, one gets it', async () => {
    const hat = await sold(1, 700n);
    const orders = await Promise.all(Array.from({ length: 6 }, async () => placed(1)));
    const done = await Promise.allSettled(
      orders.map(({ order }) =>
        edit(shop, { orderId: order.id, version: 1, add: [{ variantId: hat, quantity: 1 }] }, world.deps),
      ),
    );
    assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.deepEqual(await world.levels(shop, hat), [{ on_hand: 1, reserved: 1 }]);
  });

  test('is held by verification, deleted with a test, and on the timeline of the contact', async () => {
    const { order, lineId } = await placed(3);
    await edit(shop, { orderId: order.id, version: 1, lines: [{ lineId, quantity: 1 }] }, world.deps);
    const of = `tenant_id = '${shop.tenant}' and order_id = '${order.id}'`;
    for (const tampering of [
      `update orders.version set snapshot = jsonb_set(snapshot, '{total}', '"1"') where ${of} and version = 1`,
      `update orders.version set snapshot = jsonb_set(snapshot, '{total}', '"1"') where ${of} and version = 2`,
      `update orders.edit set readdressed = true where ${of}`,
      `update orders.line set quantity = 3 where ${of}`,
      `delete from orders.edit where ${of}`,
    ])
      assert.notDeepEqual(await world.told(tampering), [], tampering);
    const entries = await world.admin.query<{ kind: string }>(sql`
      select kind from crm.timeline_entry where tenant_id = ${shop.tenant}::uuid and refs ->> 'order_id' = ${order.id} order by entry_id`);
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ['order.placed', 'order.edited'],
    );
    // The application itself rewrites nothing.
    for (const rewriting of [
      'update orders.line set quantity = 9',
      'update orders.sales_order set total = 0, net = 0, tax = 0',
      'update orders.version set version = 9',
      'delete from orders.edit',
    ])
      await assert.rejects(
        selling(shop, async (tx) => tx.query({ text: rewriting, values: [] } as never)),
        /permission denied/,
      );

    const variantId = await world.stocked(shop, 5);
    const test = await place(placing([{ variantId, quantity: 2 }], { mode: 'test' }));
    await edit(shop, { orderId: test.id, version: 1, lines: [{ lineId: test.lines[0]?.id, quantity: 1 }] }, world.deps);
    await selling(shop, async (tx) => deleteTestOrders(tx, { last: newId(), limit: 10, alone: false }));
    const left = await world.admin.query(sql`
      select from orders.version where order_id = ${test.id}::uuid union all select from orders.edit where order_id = ${test.id}::uuid`);
    assert.deepEqual(left, []);
  });

  test('a marketplace says what the lines are, to the unit as it charged them: followed once, or not at all', async () => {
    const [shirt, hat] = [await world.stocked(shop, 10), await world.stocked(shop, 10)];
    const whole = placing([
      { variantId: shirt, quantity: 3, unitPrice: 1000n },
      { variantId: hat, quantity: 1, unitPrice: 500n },
    ]);
    const made = await world.place(shop, whole);
    const orderId = made.id;
    await selling(shop, async (tx) => {
      await awaitElsewhere(tx, { ...whole, id: orderId }, whole.total);
      await receiveElsewhere(tx, orderId, { total: whole.total, sourceId: newId() });
    });
    const [first, second] = whole.lines;
    assert.ok(first !== undefined && second !== undefined);
    const [fewer] = placing([{ variantId: shirt, quantity: 1, unitPrice: 1000n }]).lines;
    const [cap] = placing([{ variantId: hat, quantity: 2, unitPrice: 1200n }]).lines;
    assert.ok(fewer !== undefined && cap !== undefined);
    const follow = async (lines: typeof whole.lines) =>
      selling(shop, async (tx) => editElsewhere(tx, orderId, { lines, discounts: [] }));
    assert.equal(await follow(whole.lines), 'same');
    assert.equal(await follow([{ ...fewer, id: first.id }, cap]), 'edited', 'the hat was taken off');
    assert.equal(await follow([{ ...fewer, id: first.id }, cap]), 'same');
    const after = await read(shop, { orderId });
    assert.deepEqual(
      after.lines.map(({ quantity, total }) => [quantity, total.amount]),
      [
        [1, '10.00'],
        [2, '24.00'],
      ],
    );
    assert.deepEqual([after.total.amount, after.toGiveBack.amount], ['34.00', '1.00']);
    for (const lines of [whole.lines, [], [{ ...fewer, id: first.id, quantity: 2 }, cap]])
      assert.equal(await follow(lines), 'unlike');
    assert.deepEqual(await read(shop, { orderId }), after, 'nothing was changed');
    // What costs more is awaited at the marketplace.
    const [scarf] = placing([{ variantId: shirt, quantity: 1, unitPrice: 700n }]).lines;
    assert.ok(scarf !== undefined);
    assert.equal(await follow([{ ...fewer, id: first.id }, cap, scarf]), 'edited');
    assert.equal((await read(shop, { orderId })).balanceDue.amount, '6.00');
    await selling(shop, async (tx) => receiveElsewhere(tx, orderId, { total: 4_100n, sourceId: newId() }));
    const paid = await read(shop, { orderId });
    assert.deepEqual([paid.paymentStatus, paid.captured.amount, paid.balanceDue.amount], ['paid', '41.00', '0.00']);
    await fulfil(shop, { orderId });
    assert.equal(await follow([{ ...fewer, id: first.id }, cap]), 'unlike', 'what has left stays');
  });

  test('an order is edited at most 50 times', async () => {
    const { order, lineId } = await placed(60 - 50, {});
    assert.equal(order.units, 10);
    let version = 1;
    const addresses = ['Torstr. 8', 'Torstr. 9'];
    for (; version <= 50; version += 1)
      await edit(
        shop,
        { orderId: order.id, version, shippingAddress: { ...address, line1: addresses[version % 2] } },
        world.deps,
      );
    const lines = [{ lineId, quantity: 1 }];
    assert.equal(
      (await refused(edit(shop, { orderId: order.id, version, lines }, world.deps))).code,
      'order_too_often_edited',
    );
  });
});
