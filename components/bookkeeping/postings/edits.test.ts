import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createTax } from '@steward/accounting';
import { anything } from '@steward/audit/testing';
import { newId } from '@steward/kernel';
import {
  editOrder,
  movementsOf,
  type Order,
  type PostalAddress,
  recordOrderPayment,
  refundOrder,
} from '@steward/orders';
import type { TenantContext } from '@steward/sql';
import { placing } from '../fixtures/order.ts';
import { byDoor, createWorld, type World } from '../fixtures/world.ts';
import { updatePostingProfile } from '../profile/update.ts';
import { reconcileOrders } from '../reports/reconcile.ts';
import { carryOutOrderPosting } from './carry-out-one.ts';

const profile = byDoor(updatePostingProfile);
const reconcile = byDoor(reconcileOrders);
const today = () => new Date(Date.now()).toISOString().slice(0, 10);
const berlin: PostalAddress = {
  name: 'Ann Buyer',
  company: null,
  line1: 'Torstr. 1',
  line2: null,
  city: 'Berlin',
  region: null,
  postcode: '10119',
  country: 'DE',
  phone: null,
};

const hat = newId();
const offered = {
  productId: newId(),
  title: 'Hat',
  options: {},
  sku: null,
  image: null,
  taxCategory: 'standard',
  weightGrams: null,
  requiresShipping: true,
  unitPrice: 1200n,
} as const;

describe('an edit in the books', () => {
  let world: World;
  let shop: TenantContext;
  let german: string;
  let austrian: string;
  before(async () => {
    world = await createWorld();
    shop = await world.tenant();
    german = (await createTax(shop, { name: 'MwSt', percentage: '19' })).id;
    austrian = (await createTax(shop, { name: 'USt', percentage: '20' })).id;
  });
  after(async () => {
    assert.deepEqual(await world.told(), []);
    await world[Symbol.asyncDispose]();
  });

  const place = async (): Promise<Order> => {
    const tax = { treatment: 'taxed', taxId: german, percentage: 190_000n } as const;
    const whole = placing({
      lines: [
        { quantity: 3, unitPrice: 1999n, tax },
        { quantity: 1, unitPrice: 333n, tax },
      ],
      shipping: { price: 490n, tax },
    });
    const order = await world.awaiting(shop, { ...whole, shippingAddress: berlin });
    await world.tell(shop, 'commerce.order.placed', { orderId: order.id, mode: 'live' });
    await world.work();
    return order;
  };
  const edit = async (order: Order, given: object): Promise<Order> => {
    const tax = { treatment: 'taxed', taxId: austrian, percentage: 200_000n } as const;
    const done = await editOrder(
      shop,
      { orderId: order.id, version: order.version, ...given },
      {
        mediaAt: '',
        noteOnTimeline: async () => undefined,
        quoteEdit: async (_tx, { taxed }) => ({
          pricing: 'inclusive',
          offers: new Map([[hat, { ...offered, taxed: tax }]]),
          taxes: new Map(taxed.map(({ id }) => [id, tax])),
          shippingTax: tax,
        }),
      },
    );
    await world.tell(shop, 'commerce.order.edited', { orderId: order.id, mode: 'live', editId: done.edit.id });
    await world.work();
    return done.order as Order;
  };
  const postingsOf = async (order: Order) => (await world.postings(shop)).filter(({ orderId }) => orderId === order.id);
  const documents = async (order: Order) =>
    (
      (await world.books(shop, 'service_list_documents', { limit: 200 })) as unknown as {
        documents: {
          reference: string;
          kind: string;
          status: string;
          net: object;
          tax: { amount: string };
          total: { amount: string };
        }[];
      }
    ).documents
      .filter(({ reference }) => reference === order.number)
      .map(({ kind, status, tax, total }) => [kind, status, tax.amount, total.amount].join(' '))
      .toSorted();
  const carryOutAll = async (order: Order): Promise<void> => {
    for (const { id, state } of await postingsOf(order))
      if (state === 'waiting') await carryOutOrderPosting(shop, { postingId: id }, world.ports);
  };
  const agrees = async (): Promise<void> => {
    const { differences } = await reconcile(shop, { from: today(), to: today() });
    assert.deepEqual(differences, []);
  };

  test('a draft is made anew, and nothing is posted', async () => {
    const order = await place();
    const [line] = order.lines;
    await edit(order, { lines: [{ lineId: line?.id, quantity: 1 }] });
    assert.deepEqual((await postingsOf(order)).map(({ kind, state, reason }) => [kind, state, reason]).toSorted(), [
      ['edit_charge', 'left_out', 'in_invoice'],
      ['edit_credit', 'left_out', 'in_invoice'],
      ['invoice', 'drafted', null],
    ]);
    assert.deepEqual(await documents(order), ['invoice draft 4.50 28.22', 'invoice void 10.89 68.20']);
    await agrees();
  });

  test('an issued invoice gets a credit note for what was taken off, to the unit', async () => {
    await profile(shop, { mode: 'post' });
    const order = await place();
    const [line] = order.lines;
    await edit(order, { lines: [{ lineId: line?.id, quantity: 2 }] });
    await carryOutAll(order);
    assert.deepEqual(await documents(order), ['credit_note paid 3.20 19.99', 'invoice issued 10.89 68.20']);
    await agrees();
  });

  test('at another address what was taxed before is credited, and charged with the tax that is due there', async () => {
    const order = await place();
    const moved = await edit(order, { shippingAddress: { ...berlin, city: 'Wien', postcode: '1010', country: 'AT' } });
    await carryOutAll(order);
    await carryOutAll(order);
    assert.equal(moved.tax.amount, '11.38');
    assert.deepEqual(await documents(order), [
      'credit_note paid 10.89 68.20',
      'invoice issued 11.38 68.20',
      'invoice paid 10.89 68.20',
    ]);
    await agrees();
  });

  test('what it added and was paid for apart is given back by a payment of its own, and each is found', async () => {
    const order = await place();
    const pay = async (orderId: string): Promise<void> => void (await byDoor(recordOrderPayment)(shop, { orderId }));
    await pay(order.id);
    const { id: orderId, captured } = await edit(order, { add: [{ variantId: hat, quantity: 1 }] });
    await pay(orderId);
    for (const { id: operationId } of await shop.require(anything).write(async (tx) => movementsOf(tx, orderId)))
      await world.tell(shop, 'commerce.payment.captured', { orderId, mode: 'live', operationId });
    const adjustment = { ...captured, amount: '80.20' };
    const { id: refundId } = await byDoor(refundOrder)(shop, { orderId, reason: 'other', adjustment });
    await world.tell(shop, 'commerce.order.refunded', { orderId, mode: 'live', refundId });
    await world.work();
    await carryOutAll(order);
    await agrees();
    const given = (await postingsOf(order)).find(({ sourceId }) => sourceId === refundId);
    assert.equal(given?.state, 'posted');
    assert.equal(given.paymentIds.length, 2);
    assert.equal(given.paymentId, given.paymentIds[0]);
  });

  test('is booked once, however often and late the books hear of it', async () => {
    const order = await place();
    const [line] = order.lines;
    const done = await edit(order, { lines: [{ lineId: line?.id, quantity: 2 }] });
    await carryOutAll(order);
    const then = await documents(order);
    await world.tell(shop, 'commerce.order.edited', { orderId: order.id, mode: 'live', editId: newId() });
    await world.tell(shop, 'commerce.order.placed', { orderId: order.id, mode: 'live' });
    await world.work();
    for (const { id } of await postingsOf(done)) await carryOutOrderPosting(shop, { postingId: id }, world.ports);
    assert.deepEqual(await documents(order), then);
    await agrees();
  });
});
