import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type Tenancy, type TenantContext } from '@steward/sql';
import { attachPayments, authorize, beginPayment, type Order, settlePayment } from '../../component.ts';
import { byDoor, createWorld, placing, refused, selling, type World } from '../../fixtures/world.ts';
import { editOrder } from '../../edits/make.ts';
import { fulfilOrder } from '../../fulfilments/fulfil.ts';
import { getOrder } from '../../orders/get.ts';
import { refundOrder } from '../../refunds/make.ts';
import { requestReturn } from '../../returns/request.ts';
import { receiveReturn } from '../../returns/receive.ts';
import { getOrderPayments } from '../list.ts';
import { recordOrderPayment } from '../record.ts';
import { updatePaymentSettings } from '../settings.ts';
import { cancelAllOverdue } from './job.ts';

const change = byDoor(updatePaymentSettings);
const record = byDoor(recordOrderPayment);
const fulfil = byDoor(fulfilOrder);
const day = 86_400_000;
const eur = (amount: string) => ({ amount, currency: 'EUR' });

describe('orders that are not paid by their day', () => {
  let world: World;
  const lowered = new Set<string>();
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const shop = async (method = 'bank_transfer', payWithinDays: number | null = 7): Promise<TenantContext> => {
    const context = await world.tenant();
    await change(context, { manualMethods: [{ method, payWithinDays }] });
    return context;
  };
  /** Placed so many days ago. */
  const order = async (
    { tenant }: TenantContext,
    { ago = 30, method = 'bank_transfer' } = {},
  ): Promise<Order & { variantId: string }> => {
    const context = world.as(tenant, 'alice', Date.now() - ago * day);
    const variantId = await world.stocked(context, 2);
    const checkoutId = newId();
    await selling(context, async (tx) => {
      const asked = { checkoutId, mode: 'live', handler: 'manual', method, amount: 2000n, currency: 'EUR' } as const;
      const begun = await beginPayment(tx, asked);
      await settlePayment(tx, begun.id, await authorize(begun, tx.context));
    });
    const placed = await world.place(context, placing([{ variantId, quantity: 2, unitPrice: 1000n }], { checkoutId }));
    await selling(context, async (tx) => attachPayments(tx, { checkoutId, orderId: placed.id }));
    return { ...placed, variantId };
  };
  const payBy = async (context: TenantContext, orderId: string) =>
    (await getOrderPayments(context, { orderId })).payments.map((one) => one.payBy);
  /** The job is to look at them now, as whoever has the login of the application can have it. */
  const look = async (...orders: readonly Pick<Order, 'id'>[]): Promise<void> => {
    await world.admin.query(sql`
      update orders.payment set look_at = clock_timestamp() - interval '1 second'
      where order_id = any (${orders.map(({ id }) => id)}::uuid[]) and look_at is not null`);
  };
  const warned: unknown[] = [];
  const work = async (): Promise<number> => {
    const tenancy = { pool: world.pool, systemContext: ({ tenant }: { tenant: string }) => world.system(tenant) };
    return cancelAllOverdue(
      tenancy as unknown as Tenancy,
      { ...world.deps, mayBePaid: async (_context, { id }) => lowered.has(id) },
      { warn: (about: unknown) => warned.push(about) },
    );
  };
  const now = async (context: TenantContext, orderId: string): Promise<string> => {
    const { status, cancelReason, paymentStatus } = await getOrder(context, { orderId });
    return [status, cancelReason, paymentStatus].filter((one) => one !== null).join(' ');
  };

  test('are cancelled, and what they kept of stock and discounts is free', async () => {
    const context = await shop();
    const today = await order(context, { ago: 0 });
    assert.deepEqual(await payBy(context, today.id), [new Date(Date.now() + 7 * day).toISOString().slice(0, 10)]);
    const { id, variantId, checkoutId } = await order(context);
    await look(today);
    await Promise.all([work(), work()]);
    assert.equal(await now(context, id), 'cancelled payment voided');
    assert.deepEqual(await world.levels(context, variantId), [{ on_hand: 2, reserved: 0 }]);
    assert.deepEqual(
      world.released().filter((one) => one === checkoutId),
      [checkoutId],
      'once',
    );
    const events = await world.events(context);
    assert.equal(events.filter(({ type }) => type === 'commerce.order.cancelled').length, 1);
    assert.equal(await now(context, today.id), 'open pending', 'its day is to come, whoever had it looked at');
    assert.equal(await work(), 0, 'nothing is looked at again');
    assert.deepEqual(await world.told(), []);
    const tampered = await world.told(`update orders.payment set pay_by = pay_by + 1 where order_id = '${id}'`);
    assert.match(tampered.join('\n'), /last day of payment/);
  });

  test('are left to people where anything of them was paid, sent, credited or booked, and are looked at once a day', async () => {
    const context = await shop();
    const touched: Readonly<Record<string, (order: Order) => Promise<unknown>>> = {
      'paid in part': async ({ id: orderId }) => record(context, { orderId, amount: eur('1.00') }),
      paid: async ({ id: orderId }) => record(context, { orderId }),
      sent: async ({ id: orderId }) => fulfil(context, { orderId }),
      credited: async ({ id: orderId }) => byDoor(refundOrder)(context, { orderId, adjustment: eur('1.00') }),
      booked: async ({ id }) => lowered.add(id),
    };
    for (const [how, touch] of Object.entries(touched)) {
      const made = await order(context);
      await touch(made);
      const before = await now(context, made.id);
      await Promise.all([work(), work()]);
      assert.equal(await now(context, made.id), before, how);
      assert.equal(await work(), 0, `${how}: again tomorrow`);
    }
    assert.deepEqual(await world.told(), []);
  });

  test('are cancelled once all that was sent is back', async () => {
    const context = await shop();
    const { id: orderId, lines } = await order(context);
    await fulfil(context, { orderId });
    const { id: returnId } = await byDoor(requestReturn)(context, {
      orderId,
      lines: [{ lineId: lines[0]?.id ?? '', quantity: 2 }],
    });
    await byDoor(receiveReturn)(context, { returnId });
    await work();
    assert.equal(await now(context, orderId), 'cancelled payment voided');
  });

  test('are not cancelled and paid both, whoever is first', async () => {
    const context = await shop();
    for (let round = 0; round < 6; round++) {
      const { id: orderId } = await order(context);
      const [, paying] = await Promise.allSettled([work(), record(context, { orderId })]);
      const after = await now(context, orderId);
      assert.equal(after, paying.status === 'fulfilled' ? 'open paid' : 'cancelled payment voided');
    }
    assert.deepEqual(await world.told(), []);
  });

  test('one that cannot be cancelled keeps no other waiting', async () => {
    const context = await shop();
    const [broken, other] = [await order(context), await order(context)];
    await world.unreserve(broken.id, context);
    const failing = {
      ...world.deps,
      mayBePaid: async (_context: unknown, { id }: Order) => {
        if (id === broken.id) throw new Error('the books are away');
        return false;
      },
    };
    const tenancy = { pool: world.pool, systemContext: ({ tenant }: { tenant: string }) => world.system(tenant) };
    const before = warned.length;
    await cancelAllOverdue(tenancy as unknown as Tenancy, failing, { warn: (about: unknown) => warned.push(about) });
    assert.equal(warned.length, before + 1);
    assert.deepEqual(
      [await now(context, broken.id), await now(context, other.id)],
      ['open pending', 'cancelled payment voided'],
    );
    assert.equal(await work(), 0);
  });

  test('keep their day through an edit that costs more, and have none once it is over', async () => {
    const context = await shop();
    const hat = await world.stocked(context, 2);
    world.sell(hat, 500n);
    const edited = async (ago: number): Promise<readonly [string, (string | null)[]]> => {
      const { id: orderId, version } = await order(context, { ago });
      await byDoor(editOrder)(context, { orderId, version, add: [{ variantId: hat, quantity: 1 }] }, world.deps);
      return [orderId, await payBy(context, orderId)];
    };
    const [, days] = await edited(3);
    assert.equal(days.length, 2);
    assert.equal(new Set(days).size, 1, 'the payment that was given up, and the one in its place');
    const [late, [, none]] = await edited(30);
    assert.equal(none, null);
    await work();
    assert.equal(await now(context, late), 'open pending', 'whoever agreed to an edit since has time');
    assert.deepEqual(await world.told(), []);
  });

  test('are those of a method that has days alone, from when it has them', async () => {
    const context = await shop('bank_transfer', null);
    const before = await order(context);
    await change(context, {
      manualMethods: [{ method: 'bank_transfer', payWithinDays: 3 }, { method: 'cash_on_delivery' }],
    });
    const [within, delivered] = [await order(context), await order(context, { method: 'cash_on_delivery' })];
    assert.deepEqual([await payBy(context, before.id), await payBy(context, delivered.id)], [[null], [null]]);
    await work();
    assert.deepEqual(
      [await now(context, before.id), await now(context, within.id), await now(context, delivered.id)],
      ['open pending', 'cancelled payment voided', 'open pending'],
    );
    const atDelivery = change(context, { manualMethods: [{ method: 'cash_on_delivery', payWithinDays: 3 }] });
    assert.equal((await refused(atDelivery)).errors?.[0]?.pointer, '/manualMethods/0/payWithinDays');
    const never = change(context, { manualMethods: [{ method: 'bank_transfer', payWithinDays: 0 }] });
    assert.equal((await refused(never)).code, 'invalid_request');
  });
});
