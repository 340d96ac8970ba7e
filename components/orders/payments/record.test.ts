import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { money } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { attachPayments, authorize, beginPayment, type Order, settlePayment } from '../component.ts';
import { byDoor, createWorld, placing, refused, selling, type World } from '../fixtures/world.ts';
import { cancelOrder } from '../orders/cancel.ts';
import { editOrder } from '../edits/make.ts';
import { getOrder } from '../orders/get.ts';
import { captureOrderPayment } from './capture-order.ts';
import { getOrderPayments } from './list.ts';
import { recordOrderPayment } from './record.ts';
import { updatePaymentSettings } from './settings.ts';
import { voidOrderPayment } from './void-order.ts';

const record = byDoor(recordOrderPayment);
const giveUp = byDoor(voidOrderPayment);
const capture = byDoor(captureOrderPayment);
const cancel = byDoor(cancelOrder);
const read = byDoor(getOrder);
const payments = byDoor(getOrderPayments);

describe('what arrives for an order whose payment was given up', () => {
  let world: World;
  let shop: TenantContext;
  before(async () => {
    world = await createWorld();
    shop = await world.tenant();
    await byDoor(updatePaymentSettings)(shop, { captureAt: 'fulfilment' });
  });
  after(async () => {
    assert.deepEqual(await world.told(), []);
    await world[Symbol.asyncDispose]();
  });

  /** Of 30.00 EUR. */
  const placed = async (how: 'invoice' | 'succeed'): Promise<Order> => {
    const mode = how === 'invoice' ? 'live' : 'test';
    const handler = how === 'invoice' ? 'manual' : 'test';
    const variantId = await world.stocked(shop, 10);
    const whole = placing([{ variantId, quantity: 3, unitPrice: 1000n }], { mode });
    const { id } = await world.place(shop, whole);
    await selling(shop, async (tx) => {
      const { checkoutId, total: amount, currency } = whole;
      const begun = await beginPayment(tx, { checkoutId, mode, amount, currency, handler, method: how });
      await settlePayment(tx, begun.id, await authorize(begun, tx.context));
      await attachPayments(tx, { checkoutId, orderId: id });
    });
    return read(shop, { orderId: id });
  };
  const eur = (minor: bigint) => money(minor, 'EUR');
  const listed = async (orderId: string): Promise<string[]> =>
    (await payments(shop, { orderId })).payments.map(({ handler, state, amount, captured, voided }) =>
      [handler, state, amount.amount, captured.amount, voided.amount].join(' '),
    );

  test('is recorded in parts until all of it is paid, and no more', async () => {
    const { id: orderId } = await placed('invoice');
    await record(shop, { orderId, amount: eur(500n) });
    await giveUp(shop, { orderId });
    await record(shop, { orderId, amount: eur(1000n) });
    assert.equal((await refused(record(shop, { orderId, amount: eur(1501n) }))).code, 'amount_exceeds_open');
    await record(shop, { orderId });
    const order = await read(shop, { orderId });
    assert.deepEqual([order.paymentStatus, order.balanceDue.amount], ['paid', '0.00']);
    assert.deepEqual(await listed(orderId), ['manual captured 30.00 5.00 25.00', 'manual captured 25.00 25.00 0.00']);
    assert.equal((await refused(record(shop, { orderId }))).code, 'payment_state');
  });

  test('is recorded on the day on which it arrived, which is not to come', async () => {
    const { id: orderId } = await placed('invoice');
    const later = record(shop, {
      orderId,
      receivedOn: new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10),
    });
    assert.equal((await refused(later)).errors?.[0]?.pointer, '/receivedOn');
    const { receivedOn } = await record(shop, { orderId, amount: eur(1000n), receivedOn: '2026-03-02' });
    assert.equal(receivedOn, '2026-03-02');
    assert.equal((await record(shop, { orderId })).receivedOn, null);
    const { operations } = await payments(shop, { orderId });
    assert.deepEqual(
      operations.map((one) => one.receivedOn),
      ['2026-03-02', null],
    );
    const tampered = await world.told(
      `update orders.payment_operation set received_on = received_on + 1 where received_on is not null`,
    );
    assert.match(tampered.join('\n'), /operation of payment/);
  });

  test('is recorded as often as that is given up', async () => {
    const { id: orderId } = await placed('invoice');
    for (const part of [400n, 600n]) {
      await giveUp(shop, { orderId });
      await record(shop, { orderId, amount: eur(part) });
    }
    assert.deepEqual(await listed(orderId), [
      'manual voided 30.00 0.00 30.00',
      'manual captured 30.00 4.00 26.00',
      'manual awaiting 26.00 6.00 0.00',
    ]);
  });

  test('is no money that its provider is going to take, and follows where that is given up', async () => {
    const { id: orderId } = await placed('succeed');
    assert.equal((await refused(record(shop, { orderId }))).code, 'payment_state');
    await giveUp(shop, { orderId });
    await record(shop, { orderId });
    assert.equal((await read(shop, { orderId })).paymentStatus, 'paid');
    const other = (await placed('succeed')).id;
    await capture(shop, { orderId: other, amount: eur(1000n) });
    await giveUp(shop, { orderId: other });
    await record(shop, { orderId: other, amount: eur(2000n) });
    assert.equal((await read(shop, { orderId: other })).paymentStatus, 'paid');
  });

  test('is not awaited of an order that is cancelled', async () => {
    const { id: orderId } = await placed('invoice');
    await giveUp(shop, { orderId });
    await cancel(shop, { orderId, reason: 'other' }, world.deps);
    assert.equal((await refused(record(shop, { orderId }))).code, 'payment_state');
  });

  test('pays the order as an edit leaves it', async () => {
    const { id: orderId, lines } = await placed('invoice');
    await giveUp(shop, { orderId });
    await record(shop, { orderId, amount: eur(1000n) });
    const one = [{ lineId: lines[0]?.id ?? '', quantity: 2 }];
    await byDoor(editOrder)(shop, { orderId, version: 1, lines: one }, world.deps);
    assert.deepEqual((await listed(orderId)).at(-1), 'manual awaiting 30.00 10.00 10.00');
    await record(shop, { orderId });
    assert.equal((await read(shop, { orderId })).paymentStatus, 'paid');
  });

  test('is awaited once, whoever records at the same time', async () => {
    const { id: orderId } = await placed('invoice');
    await giveUp(shop, { orderId });
    const all = await Promise.allSettled(
      Array.from({ length: 6 }, async () => record(shop, { orderId, amount: eur(700n) })),
    );
    assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 4);
    assert.deepEqual(await listed(orderId), ['manual voided 30.00 0.00 30.00', 'manual awaiting 30.00 28.00 0.00']);
  });
});
