import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fail, newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { tablesWith } from '@steward/testing';
import { readPublicOrder } from '../buyer/public-order.ts';
import { attachPayments, authorize, beginPayment, type Order, placeOrder, settlePayment } from '../component.ts';
import { address, byDoor, createWorld, placing, selling, type World } from '../fixtures/world.ts';
import { fulfilOrder } from '../fulfilments/fulfil.ts';
import { readOrders } from '../permissions.ts';
import { recordOrderPayment } from '../payments/record.ts';
import { refundOrder } from '../refunds/make.ts';
import { requestReturn } from '../returns/request.ts';
import { countOrdersOf, type ErasedOrders, eraseOrders, type WhoseOrders } from './erase.ts';
import { getOrder } from './get.ts';
import { listOrders } from './list.ts';
import type { Placing } from './placing.ts';
import { updateOrder } from './update.ts';

const get = byDoor(getOrder);
const update = byDoor(updateOrder);

let world: World;
before(async () => {
  world = await createWorld();
});
after(async () => {
  try {
    assert.deepEqual(await world.told(), [], 'orders and events agree');
  } finally {
    await world[Symbol.asyncDispose]();
  }
});

const erase = async (context: TenantContext, whose: WhoseOrders): Promise<ErasedOrders> =>
  selling(context, async (tx) => eraseOrders(tx, whose, 'requested'));

/** Says it wherever somebody can say something. */
const about = (marker: string, more: Partial<Placing> = {}): Placing =>
  placing([{ quantity: 2 }], {
    buyer: {
      email: `${marker}@Example.com`,
      name: `Ann ${marker}`,
      phone: `+49 ${marker}`,
      vatNumber: `DE ${marker}`,
      marketing: true,
    },
    shippingAddress: { ...address, line1: `Street ${marker}` },
    billingAddress: { ...address, company: `Ltd ${marker}`, country: 'FR' },
    note: `Leave it with ${marker}.`,
    ...more,
  });

/** An order of which everything became that can: paid, sent, partly sent back and paid back, with a word about it each time. */
async function lived(context: TenantContext, marker: string, given = about(marker)): Promise<Order> {
  const { checkoutId, mode, total: amount, currency } = given;
  await selling(context, async (tx) => {
    const how = { handler: 'manual', method: 'invoice' };
    const begun = await beginPayment(tx, { checkoutId, mode, amount, currency, ...how });
    await settlePayment(tx, begun.id, await authorize(begun, tx.context));
  });
  const { id: orderId, lines } = await world.place(context, given);
  await selling(context, async (tx) => attachPayments(tx, { checkoutId, orderId }));
  await byDoor(recordOrderPayment)(context, { orderId, reference: `From ${marker}` });
  await update(context, { orderId, note: `Called ${marker}`, tags: [marker, 'wholesale'] });
  await byDoor(fulfilOrder)(context, {
    orderId,
    carrier: 'DHL',
    trackingNumber: marker,
    trackingUrl: `https://track.example.com/${marker}`,
  });
  const one = [{ lineId: lines[0]?.id, quantity: 1 }];
  await byDoor(requestReturn)(context, { orderId, lines: one, note: `${marker} says so` });
  await byDoor(refundOrder)(context, { orderId, lines: one, reason: 'other', note: `For ${marker}` });
  await world.admin.query(sql`
    insert into orders.letter (tenant_id, about, reader, address, owed)
    values (${context.tenant}::uuid, ${`placed ${orderId}`}, 'buyer', decode(repeat('ab', 32), 'hex'), true)`);
  return get(context, { orderId });
}

const digests = async ({ tenant }: TenantContext): Promise<number> => {
  const [row] = await world.admin.query<{ n: number }>(sql`
    select count(*)::int as n from orders.letter where tenant_id = ${tenant}::uuid and address is not null`);
  return row?.n ?? 0;
};

test('an order of an erased person keeps its figures, its lines and the country, and says nothing of anybody', async () => {
  const [context, other] = [await world.tenant(), await world.tenant()];
  const marker = `zx${newId().slice(-8)}`;
  const order = await lived(context, marker);
  const stays = await lived(context, 'other');
  const elsewhere = await lived(other, marker);
  const done = await erase(context, { contactIds: [order.contactId ?? ''] });
  assert.deepEqual(done, {
    ids: [order.id],
    checkoutIds: [order.checkoutId],
    fulfilmentIds: order.fulfilments.map(({ id }) => id),
    addresses: [`${marker}@Example.com`],
  });
  const now = await get(context, { orderId: order.id });
  assert.ok(now.erasedAt !== null);
  const { fulfilments, ...rest } = order;
  assert.deepEqual(now, {
    ...rest,
    email: null,
    name: null,
    phone: null,
    vatNumber: null,
    shippingAddress: null,
    billingAddress: null,
    buyerNote: null,
    note: null,
    tags: [],
    country: 'DE',
    fulfilments: fulfilments.map((one, index) => ({
      ...one,
      trackingNumber: null,
      trackingUrl: null,
      version: 2,
      updatedAt: now.fulfilments[index]?.updatedAt,
    })),
    erasedAt: now.erasedAt,
  });
  assert.equal(await selling(context, async (tx) => countOrdersOf(tx, [order.contactId ?? ''])), 1);
  const seen = context.require(readOrders);
  assert.equal(await readPublicOrder(seen, { orderId: order.id }), undefined);
  assert.equal((await readPublicOrder(seen, { orderId: stays.id }))?.id, stays.id);
  assert.deepEqual(await get(context, { orderId: stays.id }), stays, 'others stay');
  assert.deepEqual(await get(other, { orderId: elsewhere.id }), elsewhere, 'and those of other tenants');
  assert.equal(await digests(context), 1);
  await erase(other, { addresses: [`${marker}@example.COM`] });
  assert.deepEqual(await tablesWith(world.admin, marker), ['crm.contact', 'crm.contact_term']);
  const told = (await world.events(context)).filter(({ type }) => type === 'commerce.order.erased');
  assert.deepEqual(told, [{ type: 'commerce.order.erased', order_id: order.id, mode: 'live', reason: 'requested' }]);
  assert.deepEqual(await erase(context, { orderIds: [order.id] }), {
    ids: [],
    checkoutIds: [],
    fulfilmentIds: [],
    addresses: [],
  });
});

test('orders without a contact are found by the address, in whatever case, those of tests too', async () => {
  const context = await world.tenant();
  const marker = `zx${newId().slice(-8)}`;
  const live = await world.place(context, about(marker));
  const trial = await world.place(context, about(marker, { mode: 'test' }));
  await world.place(context, about('other'));
  // As where the CRM took nothing of the buyer.
  const alone = await selling(context, async (tx) =>
    placeOrder(tx, about(marker, { mode: 'test' }), {
      contactOf: async () => {
        throw fail('invalid_request', 'none', {
          errors: ['email', 'name', 'phone'].map((one) => ({ pointer: `/${one}`, code: 'x', detail: 'x' })),
        });
      },
    }),
  );
  assert.equal(alone.contactId, null);
  const done = await erase(context, { addresses: ['+4930901820', `${marker.toUpperCase()}@example.com`] });
  assert.deepEqual(done.ids, [live.id, trial.id, alone.id].toSorted());
  assert.equal((await get(context, { orderId: trial.id })).email, null);
  const { items } = await byDoor(listOrders)(context, { email: 'other@example.com' }, world.deps);
  assert.equal(items.length, 1);
});

test('who was erased while the order was paid is in no order: it is placed with its figures alone', async () => {
  const context = await world.tenant();
  const given = placing([{ quantity: 2 }], {
    buyer: { email: null, name: null, phone: null, vatNumber: null, marketing: true },
    shippingAddress: null,
    erased: { reason: 'objection', country: 'DE' },
  });
  const order = await world.place(context, given);
  assert.deepEqual([order.contactId, order.email, order.country, order.total.amount], [null, null, 'DE', '39.98']);
  assert.ok(order.erasedAt !== null);
  assert.deepEqual(
    (await world.events(context)).slice(-2).map(({ type, reason }) => [type, reason]),
    [
      ['commerce.order.placed', undefined],
      ['commerce.order.erased', 'objection'],
    ],
  );
});

test('an erasure that nobody asked for, or that was taken back, is told by verification', async () => {
  const context = await world.tenant();
  const [erased, kept] = [await world.place(context, about('ann')), await world.place(context, about('bea'))];
  await update(context, { orderId: kept.id, note: 'Called', tags: ['wholesale'] });
  await erase(context, { orderIds: [erased.id] });
  const of = (order: Order): string => `where order_id = '${order.id}'`;
  for (const [tampering, said] of [
    [`update orders.sales_order set email = null, erased_at = clock_timestamp() ${of(kept)}`, /buyer of order/],
    [`update orders.sales_order set email = 'x@example.com' ${of(erased)}`, /buyer of order/],
    [`update orders.sales_order set erased_at = null ${of(erased)}`, /buyer of order/],
    [`update orders.sales_order set erased_at = erased_at - interval '1 day' ${of(erased)}`, /buyer of order/],
    [`update orders.sales_order set country = 'FR' ${of(erased)}`, /order/],
    [`update orders.sales_order set note = 'Ann' ${of(erased)}`, /note on order/],
    [`insert into orders.tag select tenant_id, 'Ann', order_id from orders.sales_order ${of(erased)}`, /tags of order/],
  ] as const)
    assert.match((await world.told(tampering)).join(), said, tampering);
});

test('whoever changes an order meanwhile comes before and is erased too, or finds no person in it', async () => {
  const context = await world.tenant();
  for (let round = 0; round < 6; round += 1) {
    const marker = `zx${newId().slice(-8)}`;
    const order = await world.place(context, about(marker));
    await Promise.all([
      erase(context, { orderIds: [order.id] }),
      update(context, { orderId: order.id, tags: ['sent'] }),
      byDoor(fulfilOrder)(context, { orderId: order.id, carrier: 'DHL' }),
      erase(context, { addresses: [`${marker}@example.com`] }),
    ]);
    const now = await get(context, { orderId: order.id });
    assert.deepEqual([now.email, now.shippingAddress, now.fulfilmentStatus], [null, null, 'fulfilled']);
    const told = (await world.events(context)).filter((one) => one['order_id'] === order.id);
    assert.equal(told.filter(({ type }) => type === 'commerce.order.erased').length, 1);
  }
});

test('the application itself takes nobody out of an order', async () => {
  const context = await world.tenant();
  const { id } = await world.place(context, about('ann'));
  for (const forged of [
    sql`update orders.sales_order set email = null where order_id = ${id}::uuid`,
    sql`update orders.sales_order set erased_at = clock_timestamp() where order_id = ${id}::uuid`,
    sql`delete from orders.sales_order where order_id = ${id}::uuid`,
  ])
    await assert.rejects(
      selling(context, async (tx) => tx.query(forged)),
      /permission denied/,
    );
});
