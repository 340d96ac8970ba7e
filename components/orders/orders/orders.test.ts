import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { available, byDoor, createWorld, placing, refused, type World } from '../fixtures/world.ts';
import { anything } from '@steward/audit/testing';
import { createOrderTokens } from '../buyer/token.ts';
import { readPublicOrder } from '../buyer/public-order.ts';
import { fulfilOrder } from '../fulfilments/fulfil.ts';
import { cancelOrder } from './cancel.ts';
import { countOrders } from './count.ts';
import { getOrder } from './get.ts';
import { listOrders } from './list.ts';
import { updateOrder } from './update.ts';

const list = byDoor(listOrders);
const count = byDoor(countOrders);
const get = byDoor(getOrder);
const update = byDoor(updateOrder);
const cancel = byDoor(cancelOrder);
let world: World;
before(async () => {
  world = await createWorld();
});
after(async () => world[Symbol.asyncDispose]());

describe('orders', () => {
  test('are listed by each of their filters, page by page', async () => {
    const context = await world.tenant();
    const buyer = { ...placing().buyer, email: 'Bea@Example.com' };
    const ann = await world.place(context, placing());
    const bea = await world.place(context, placing([{ quantity: 2 }], { buyer }));
    const tried = await world.place(context, placing([{}], { mode: 'test' }));
    await byDoor(fulfilOrder)(context, { orderId: bea.id });
    await cancel(context, { orderId: ann.id, reason: 'customer' }, world.deps);
    await update(context, { orderId: bea.id, tags: ['gift'] });
    const ids = async (filter: object) => (await list(context, filter, world.deps)).items.map(({ id }) => id);
    assert.deepEqual(await ids({}), [bea.id, ann.id]);
    const found = [
      [{ mode: 'test' }, [tried.id]],
      [{ status: 'cancelled' }, [ann.id]],
      [{ status: 'open' }, [bea.id]],
      [{ paymentStatus: 'voided' }, [ann.id]],
      [{ paymentStatus: 'pending' }, [bea.id]],
      [{ due: true }, [bea.id]],
      [{ due: false }, [ann.id]],
      [{ fulfilmentStatus: 'fulfilled' }, [bea.id]],
      [{ email: 'bea@example.COM' }, [bea.id]],
      [{ number: '1002' }, [bea.id]],
      [{ number: 'TEST-1001' }, [tried.id]],
      [{ contactId: bea.contactId }, [bea.id]],
      [{ tag: 'gift' }, [bea.id]],
      [{ tag: 'Gift' }, []],
      [{ placedFrom: '2020-01-01T00:00:00Z', placedBefore: '2020-01-02T00:00:00Z' }, []],
      [{ placedFrom: '2020-01-01T00:00:00+02:00' }, [bea.id, ann.id]],
    ] as const;
    for (const [filter, expected] of found) assert.deepEqual(await ids(filter), expected, JSON.stringify(filter));
    const day = new Date(Date.parse(bea.placedAt)).toISOString().slice(0, 10);
    const counts = async (filter: object) =>
      (await count(context, { from: day, to: day, ...filter })).items.map((one) => [
        one.day,
        one.orders,
        one.cancelled,
      ]);
    assert.deepEqual(await counts({}), [[day, 2, 1]]);
    assert.deepEqual(await counts({ mode: 'test' }), [[day, 1, 0]]);
    assert.deepEqual(await counts({ from: '2020-01-01', to: '2020-01-31' }), []);
    assert.equal((await refused(counts({ from: day, to: '2020-01-01' }))).code, 'invalid_request');
    const first = await list(context, { limit: 1 }, world.deps);
    assert.deepEqual([first.items.length, first.nextCursor], [1, bea.id]);
    assert.deepEqual((await list(context, { limit: 1, cursor: first.nextCursor }, world.deps)).nextCursor, null);
    const wrong = [
      { number: 'x' },
      { status: 'lost' },
      { email: 'bea' },
      { placedFrom: '2020-01-02T00:00:00Z', placedBefore: '2020-01-01T00:00:00Z' },
    ];
    for (const filter of wrong)
      assert.equal((await refused(list(context, filter, world.deps))).code, 'invalid_request');
    const nobody = { contactId: newId() };
    assert.equal((await refused(list(context, nobody, world.deps))).code, 'not_found');
    assert.deepEqual((await list(await world.tenant(), {}, world.deps)).items, []);
    assert.deepEqual((await get(context, { orderId: tried.id })).number, 'TEST-1001');
    assert.equal((await refused(get(await world.tenant(), { orderId: tried.id }))).code, 'not_found');
  });

  test('are counted by the day on which they were placed, and those of other times are not read for it', async () => {
    const context = await world.tenant();
    const { id, placedAt } = await world.place(context, placing());
    const placed = async (at: number) =>
      world.admin.query(sql`update orders.sales_order set placed_at = ${new Date(at)} where order_id = ${id}::uuid`);
    const counted = async (at: number) => {
      const day = new Date(at).toISOString().slice(0, 10);
      return (await count(context, { from: day, to: day })).items.length;
    };
    const never = { from: '0000-01-01', to: '0000-01-01' };
    assert.equal((await refused(count(context, never))).code, 'invalid_request');
    const own = Date.parse(placedAt);
    const midnight = Math.ceil(own / 86_400_000) * 86_400_000;
    // Its id was made just before midnight, or by a clock that is behind or ahead.
    for (const at of [midnight, midnight - 86_400_001]) {
      await placed(at);
      assert.equal(await counted(at), 1);
    }
    // No order is so: only what is read by other ids could find it.
    for (const days of [-3, 3]) {
      await placed(own + days * 86_400_000);
      assert.equal(await counted(own + days * 86_400_000), 0);
    }
    await placed(own);
    assert.equal(await counted(own), 1);
  });

  test('are noted and tagged, and nothing else of them is changed', async () => {
    const context = await world.tenant();
    const { id: orderId } = await world.place(context, placing());
    const noted = await update(context, { orderId, note: 'Call first', tags: ['vip', 'gift', 'vip'] });
    assert.deepEqual([noted.note, noted.tags, noted.version], ['Call first', ['gift', 'vip'], 2]);
    assert.equal((await update(context, { orderId, tags: ['gift', 'vip'] })).version, 2);
    const fewer = await update(context, { orderId, tags: [], note: null });
    assert.deepEqual([fewer.note, fewer.tags, fewer.version], [null, [], 3]);
    await update(context, { orderId, tags: ['Überraschung'], note: 'Zeile\nzwei' });
    for (const given of [{ total: '1' }, { tags: [''] }, { note: '' }, { email: 'eve@example.com' }])
      assert.equal((await refused(update(context, { orderId, ...given }))).code, 'invalid_request');
    const said = JSON.stringify(await world.events(context));
    assert.ok(!said.includes('Call first') && !said.includes('vip'));
    for (const change of [
      `update orders.sales_order set note = 'Forged'`,
      `update orders.sales_order set version = 9`,
      `update orders.tag set tag = 'x'`,
      `delete from orders.tag`,
    ])
      assert.notDeepEqual(await world.told(`${change} where tenant_id = '${context.tenant}'`), [], change);
    assert.deepEqual(await world.told(), []);
  });

  test('are cancelled once, which frees stock and discounts', async () => {
    const context = await world.tenant();
    const variantId = await world.stocked(context, 3);
    const made = await world.place(context, placing([{ variantId, quantity: 3 }]));
    assert.equal((await available(context, [variantId]))[0]?.available, 0);
    const done = await cancel(context, { orderId: made.id, reason: 'out_of_stock' }, world.deps);
    assert.deepEqual([done.status, done.paymentStatus, done.cancelReason], ['cancelled', 'voided', 'out_of_stock']);
    assert.equal((await available(context, [variantId]))[0]?.available, 3);
    const again = await cancel(context, { orderId: made.id, reason: 'fraud' }, world.deps);
    assert.equal(again.cancelReason, 'out_of_stock');
    assert.deepEqual(world.released().slice(-1), [made.checkoutId]);
    assert.equal((await refused(byDoor(fulfilOrder)(context, { orderId: made.id }))).code, 'order_cancelled');
    const sent = await world.place(context, placing([{ quantity: 2 }]));
    await byDoor(fulfilOrder)(context, { orderId: sent.id, lines: [{ lineId: sent.lines[0]?.id, quantity: 1 }] });
    assert.equal(
      (await refused(cancel(context, { orderId: sent.id, reason: 'customer' }, world.deps))).code,
      'order_fulfilled',
    );
    assert.notDeepEqual(
      await world.told(
        `update orders.sales_order set cancelled_at = null, cancel_reason = null where order_id = '${made.id}'`,
      ),
      [],
    );
    assert.deepEqual(await world.told(), []);
  });

  test('that are paid are refunded before they are cancelled', async () => {
    const context = await world.tenant();
    const made = await world.place(context, placing());
    await world.paid(context, made.id, 500n);
    assert.equal((await get(context, { orderId: made.id })).paymentStatus, 'partially_paid');
    const due = await list(context, { status: 'open', due: true }, world.deps);
    assert.deepEqual(
      due.items.map(({ id }) => id),
      [made.id],
      'the rest is due',
    );
    assert.equal(
      (await refused(cancel(context, { orderId: made.id, reason: 'customer' }, world.deps))).code,
      'order_paid',
    );
  });
});

describe('a buyer', () => {
  const tokens = createOrderTokens(Buffer.alloc(32, 7));

  test('sees an order by its token, and nothing that is not for buyers', async () => {
    const context = await world.tenant();
    const made = await world.place(context, placing([{}], { note: 'Ring twice' }));
    await update(context, { orderId: made.id, note: 'Secret of the shop', tags: ['fraud?'] });
    await byDoor(fulfilOrder)(context, {
      orderId: made.id,
      trackingUrl: 'https://track.example.com/1',
      reference: 'WH-1',
    });
    const scope = context.require(anything);
    const seen = await readPublicOrder(scope, { orderId: made.id, brandId: made.brandId });
    assert.deepEqual(
      [seen?.number, seen?.fulfilmentStatus, seen?.note, seen?.fulfilments[0]?.trackingUrl, seen?.lines[0]?.title],
      ['1001', 'fulfilled', 'Ring twice', 'https://track.example.com/1', 'Shirt 1'],
    );
    const said = JSON.stringify(seen);
    for (const hidden of ['Secret', 'fraud', 'WH-1', String(made.contactId), made.checkoutId, context.tenant])
      assert.ok(!said.includes(hidden), hidden);
    assert.equal(await readPublicOrder(scope, { orderId: made.id, brandId: newId() }), undefined);
    assert.equal(await readPublicOrder((await world.tenant()).require(anything), { orderId: made.id }), undefined);
  });

  test('has a token of this order alone', () => {
    const [tenant, orderId] = [newId(), newId()];
    const token = tokens.of({ tenant, orderId });
    assert.equal(token, tokens.of({ tenant, orderId }));
    assert.match(token, /^[A-Za-z0-9_-]{64}$/);
    assert.equal(tokens.tenantOf(token, orderId), tenant);
    assert.equal(tokens.tenantOf(token, newId()), undefined);
    assert.equal(createOrderTokens(Buffer.alloc(32, 8)).tenantOf(token, orderId), undefined);
    for (let at = 0; at < token.length; at += 1) {
      const forged = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
      assert.equal(tokens.tenantOf(forged, orderId), undefined);
    }
    for (const wrong of ['', 'x', token.slice(1), `${token}A`, 'é'.repeat(64)])
      assert.equal(tokens.tenantOf(wrong, orderId), undefined);
  });
});
