import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { attachPayments, authorize, beginPayment, type Order, settlePayment } from '../component.ts';
import { available, byDoor, createWorld, placing, refused, selling, type World } from '../fixtures/world.ts';
import { fulfilOrder } from '../fulfilments/fulfil.ts';
import { recordOrderPayment } from '../payments/record.ts';
import { cancelOrder } from '../orders/cancel.ts';
import { refundOrder } from '../refunds/make.ts';
import { approveReturn, rejectReturn } from './decide.ts';
import { getReturn, listReturns } from './list.ts';
import { receiveReturn } from './receive.ts';
import { requestReturn } from './request.ts';

const request = byDoor(requestReturn);
const approve = byDoor(approveReturn);
const reject = byDoor(rejectReturn);
const receive = byDoor(receiveReturn);
const refund = byDoor(refundOrder);
const list = byDoor(listReturns);
const cancel = byDoor(cancelOrder);

describe('returns of orders', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => {
    try {
      assert.deepEqual(await world.told(), [], 'returns, refunds, stock and events agree');
    } finally {
      await world[Symbol.asyncDispose]();
    }
  });

  /** An order of four units at 10.00 EUR, of which six were on hand, paid and sent. */
  const sent = async (shop: TenantContext): Promise<{ readonly order: Order; readonly variantId: string }> => {
    const variantId = await world.stocked(shop, 6);
    const whole = placing([{ variantId, quantity: 4, unitPrice: 1000n }]);
    const { checkoutId, mode, total: amount, currency } = whole;
    await selling(shop, async (tx) => {
      const begun = await beginPayment(tx, {
        checkoutId,
        mode,
        handler: 'manual',
        method: 'invoice',
        amount,
        currency,
      });
      await settlePayment(tx, begun.id, await authorize(begun, tx.context));
    });
    const order = await world.place(shop, whole);
    await selling(shop, async (tx) => attachPayments(tx, { checkoutId, orderId: order.id }));
    await byDoor(recordOrderPayment)(shop, { orderId: order.id });
    await byDoor(fulfilOrder)(shop, { orderId: order.id });
    return { order, variantId };
  };
  const onHand = async (shop: TenantContext, variantId: string): Promise<number | null | undefined> =>
    (await available(shop, [variantId]))[0]?.available;
  const lineOf = ({ lines }: Order): string => lines[0]?.id ?? '';

  test('bring undamaged units back into stock, and are paid back', async () => {
    const shop = await world.tenant();
    const { order, variantId } = await sent(shop);
    const [orderId, lineId] = [order.id, lineOf(order)];
    assert.equal(await onHand(shop, variantId), 2);
    const toDo = async (): Promise<number> => (await list(shop, { open: true })).items.length;
    const asked = await request(shop, {
      orderId,
      lines: [{ lineId, quantity: 3 }],
      reason: 'damaged',
      note: 'Chipped.',
    });
    assert.deepEqual([asked.state, asked.orderNumber], ['requested', '1001']);
    assert.deepEqual(asked.lines[0]?.options, order.lines[0]?.options);
    assert.equal(await toDo(), 1);
    assert.equal((await approve(shop, { returnId: asked.id })).state, 'approved');
    assert.equal((await approve(shop, { returnId: asked.id })).version, 2, 'approved already');
    const early = await refused(refund(shop, { orderId, returnId: asked.id }));
    assert.equal(early.code, 'return_state');
    const arrived = await receive(shop, { returnId: asked.id, lines: [{ lineId, received: 3, damaged: 1 }] });
    assert.deepEqual(
      [arrived.state, arrived.lines.map(({ received, damaged }) => [received, damaged])],
      ['received', [[3, 1]]],
    );
    assert.equal(await onHand(shop, variantId), 4);
    assert.equal(await toDo(), 1, 'nothing is paid back yet');
    const given = await refund(shop, { orderId, returnId: asked.id });
    assert.deepEqual([given.total.amount, given.returnId], ['30.00', asked.id]);
    assert.equal((await getReturn(shop, { returnId: asked.id })).state, 'refunded');
    assert.equal(await toDo(), 0);
    assert.equal((await list(shop, { open: false })).items.length, 1);
    assert.equal((await refused(refund(shop, { orderId, returnId: asked.id }))).code, 'return_state');
    assert.equal((await refused(reject(shop, { returnId: asked.id }))).code, 'return_state');
    assert.equal((await refused(receive(shop, { returnId: asked.id }))).code, 'return_state', 'it came already');
    assert.equal(await onHand(shop, variantId), 4, 'nothing more came back');
  });

  test('of all of an order that nobody paid let it be cancelled: nothing is left to pay, to send or to give back', async () => {
    const shop = await world.tenant();
    const variantId = await world.stocked(shop, 6);
    const order = await world.place(shop, placing([{ variantId, quantity: 4, unitPrice: 1000n }]));
    const [orderId, lineId] = [order.id, lineOf(order)];
    await byDoor(fulfilOrder)(shop, { orderId, lines: [{ lineId, quantity: 3 }] });
    const cancelled = async (): Promise<Order> => cancel(shop, { orderId, reason: 'customer' }, world.deps);
    for (const [quantity, damaged] of [
      [1, 1],
      [2, 0],
    ] as const) {
      assert.equal((await refused(cancelled())).code, 'order_fulfilled');
      const { id: returnId } = await request(shop, { orderId, lines: [{ lineId, quantity }] });
      assert.equal((await refused(cancelled())).code, 'order_fulfilled', 'what is to come is not back');
      await receive(shop, { returnId, lines: [{ lineId, received: quantity, damaged }] });
    }
    const { status, paymentStatus, balanceDue, cancelReason } = await cancelled();
    assert.deepEqual(
      [status, paymentStatus, balanceDue.amount, cancelReason],
      ['cancelled', 'voided', '0.00', 'customer'],
    );
    assert.deepEqual((await list(shop, { open: true })).items, []);
    assert.equal(await onHand(shop, variantId), 5, 'all but the damaged one');
    assert.equal((await refused(byDoor(fulfilOrder)(shop, { orderId }))).code, 'order_cancelled');
  });

  test('of an order of which nothing need be paid any more are nothing to do', async () => {
    const shop = await world.tenant();
    const variantId = await world.stocked(shop, 2);
    const order = await world.place(shop, placing([{ variantId, quantity: 2, unitPrice: 1000n }]));
    const [orderId, lineId] = [order.id, lineOf(order)];
    await byDoor(fulfilOrder)(shop, { orderId });
    const { id: returnId } = await request(shop, { orderId, lines: [{ lineId, quantity: 1 }] });
    await receive(shop, { returnId });
    assert.equal((await list(shop, { open: true })).items.length, 1);
    const { credited } = await refund(shop, { orderId, adjustment: { amount: '20.00', currency: 'EUR' } });
    assert.equal(credited.amount, '20.00');
    assert.deepEqual((await list(shop, { open: true })).items, []);
  });

  test('are of no more than was sent and is in no other, also by many at once', async () => {
    const shop = await world.tenant();
    const { order, variantId } = await sent(shop);
    const [orderId, lineId] = [order.id, lineOf(order)];
    const racing = await Promise.allSettled(
      Array.from({ length: 6 }, async () => request(shop, { orderId, lines: [{ lineId, quantity: 2 }] })),
    );
    const made = racing.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
    assert.equal(made.length, 2);
    for (const one of racing)
      if (one.status === 'rejected') assert.equal((one.reason as { code: string }).code, 'not_returnable');
    const [first, second] = made.map(({ id }) => id);
    assert.equal((await reject(shop, { returnId: first, note: 'Worn.' })).state, 'rejected');
    const again = await request(shop, { orderId, lines: [{ lineId, quantity: 2 }] });
    const back = await Promise.allSettled(
      Array.from({ length: 5 }, async () =>
        receive(shop, { returnId: second, lines: [{ lineId, received: 1, damaged: 0 }] }),
      ),
    );
    assert.equal(back.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal(await onHand(shop, variantId), 3);
    // What did not come can be returned another time.
    const rest = await request(shop, { orderId, lines: [{ lineId, quantity: 1 }] });
    assert.equal((await receive(shop, { returnId: rest.id })).lines[0]?.received, 1);
    assert.equal((await refused(request(shop, { orderId, lines: [{ lineId, quantity: 1 }] }))).code, 'not_returnable');
    assert.deepEqual(
      (await list(shop, { orderId, state: 'requested' })).items.map(({ id }) => id),
      [again.id],
    );
    const page = await list(shop, { orderId, limit: 2 });
    assert.equal(page.items.length, 2);
    assert.equal((await list(shop, { orderId, limit: 2, cursor: page.nextCursor })).items.length, 2);
  });

  test('refuse what they cannot be of, with pointers', async () => {
    const shop = await world.tenant();
    const { order } = await sent(shop);
    const [orderId, lineId] = [order.id, lineOf(order)];
    for (const [lines, code, pointer] of [
      [[{ lineId, quantity: 5 }], 'not_returnable', '/lines/0/quantity'],
      [[{ lineId, quantity: 0 }], 'invalid_request', '/lines/0/quantity'],
      [[{ lineId: newId(), quantity: 1 }], 'invalid_request', '/lines/0/lineId'],
      [[1, 1].map((quantity) => ({ lineId, quantity })), 'invalid_request', '/lines/1/lineId'],
      [[], 'invalid_request', '/lines'],
    ] as const) {
      const problem = await refused(request(shop, { orderId, lines }));
      assert.deepEqual([problem.code, problem.errors?.[0]?.pointer], [code, pointer]);
    }
    const { id: returnId } = await request(shop, { orderId, lines: [{ lineId, quantity: 2 }] });
    for (const [lines, pointer] of [
      [[{ lineId, received: 3 }], '/lines/0/received'],
      [[{ lineId, received: 1, damaged: 2 }], '/lines/0/damaged'],
      [[{ lineId: newId(), received: 1 }], '/lines/0/lineId'],
      [[{ lineId, received: 0 }], '/lines'],
    ] as const)
      assert.equal((await refused(receive(shop, { returnId, lines }))).errors?.[0]?.pointer, pointer);
    assert.equal((await refused(receive(shop, { returnId, locationId: newId() }))).errors?.[0]?.pointer, '/locationId');
    const foreign = await world.tenant();
    assert.equal((await refused(receive(foreign, { returnId }))).code, 'not_found');
    assert.equal((await refused(getReturn(foreign, { returnId }))).code, 'not_found');
    assert.equal((await refused(request(foreign, { orderId, lines: [{ lineId, quantity: 1 }] }))).code, 'not_found');
    const another = await sent(shop);
    await receive(shop, { returnId });
    assert.equal(
      (await refused(refund(shop, { orderId: another.order.id, returnId }))).errors?.[0]?.pointer,
      '/returnId',
    );
    assert.equal(
      (await refused(refund(shop, { orderId, returnId, lines: [{ lineId, quantity: 1 }] }))).errors?.[0]?.pointer,
      '/lines',
    );
  });
});
