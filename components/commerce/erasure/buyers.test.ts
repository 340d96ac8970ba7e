import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { tablesWith } from '@steward/testing';
import { eraseContact, eraseOrder, type ErasedPerson } from '../component.ts';
import { berlin, invoice, opening } from '../fixtures/buying.ts';
import { createWorld, type Running, type World } from '../fixtures/world.ts';

describe('a buyer who is erased', () => {
  let world: World;
  let server: Running;
  before(async () => {
    world = await createWorld();
    server = await world.start();
  });
  after(async () => world[Symbol.asyncDispose]());

  const opened = async (mode: 'live' | 'test' = 'live') => {
    const shop = await opening(world, server)(mode);
    const marker = `zx${newId().slice(-8)}`;
    const said = {
      email: `${marker}@Example.com`,
      name: `Ann ${marker}`,
      phone: `+49 ${marker}`,
      note: `For ${marker}`,
      shippingAddress: { ...berlin, name: `Ann ${marker}`, line1: `Weg ${marker}` },
      billingAddress: { ...berlin, company: `Ltd ${marker}`, country: 'FR' },
    };
    const contact = async (): Promise<string> => {
      const [row] = await world.admin.query<{ contact_id: string }>(sql`
        select contact_id from crm.contact where tenant_id = ${shop.tenant}::uuid and email like ${`${marker}%`}`);
      return row?.contact_id ?? assert.fail('nobody');
    };
    return { ...shop, marker, said, contact };
  };
  const erase = async (context: TenantContext, contactId: string): Promise<ErasedPerson> =>
    eraseContact(context, { contactId, reason: 'requested' });

  test('is in no table any more: order, checkouts, answers; the figures stay, and the order is shown to no buyer', async () => {
    const { goods, send, good, ready, context, tenant, marker, said, contact } = await opened();
    const cup = await goods.variant();
    await goods.discount(10, 'TEN');
    const bought = await ready(cup, 1, { ...said, codes: ['TEN'] });
    const left = await ready(cup, 1, said);
    const other = await ready(cup);
    const key = { 'idempotency-key': randomUUID() };
    const done = await good(send('POST', `/checkouts/${bought.id}/complete`, invoice, bought.token, key));
    const order = done.order ?? assert.fail('an order');
    const uses = async () =>
      world.admin.query(sql`select buyer from checkout.discount_use where tenant_id = ${tenant}::uuid`);
    const before = await uses();
    const contactId = await contact();
    assert.ok((await tablesWith(world.admin, marker)).includes('orders.sales_order'));

    const erased = await erase(context, contactId);
    assert.equal(erased.orders, 1);
    assert.deepEqual(await tablesWith(world.admin, marker), []);
    assert.deepEqual(await erase(context, contactId), erased, 'a repeat answers the same');
    for (const { id, token, total } of [bought, left]) {
      const now = await good(send('GET', `/checkouts/${id}`, undefined, token));
      assert.deepEqual([now['email'], now['name'], now['note'], now['shippingAddress']], [null, null, null, null]);
      if (id === bought.id) assert.deepEqual([now.status, now.total], ['completed', total]);
    }
    assert.equal(
      (await good(send('GET', `/checkouts/${other.id}`, undefined, other.token)))['email'],
      'ann@example.com',
    );
    const [row] = await world.admin.query(sql`
      select email, country, total::int as total, erased_at is not null as erased from orders.sales_order where order_id = ${order.id}::uuid`);
    assert.deepEqual(row, { email: null, country: 'DE', total: 1390, erased: true });
    const seen = await send('GET', `/orders/${order.id}`, undefined, undefined, { 'x-order-token': order.token });
    assert.equal(seen.status, 404);
    const after = await uses();
    assert.equal(after.length, 1);
    assert.notDeepEqual(after, before, 'nobody can tell any more whose use it was');
  });

  test('while a checkout of theirs is paid is in nothing that comes of it, declined or paid', async () => {
    for (const outcome of ['succeed', 'decline']) {
      const { goods, send, good, ready, context, tenant, marker, said, contact } = await opened('test');
      const cup = await goods.variant({ stock: 5 });
      const complete = async (method: string) => {
        const { id, token } = await ready(cup, 1, said);
        return {
          id,
          token,
          now: await good(send('POST', `/checkouts/${id}/complete`, { payment: { handler: 'test', method } }, token)),
        };
      };
      await complete('succeed');
      const { id, token, now } = await complete('require_action');
      assert.equal(now.status, 'completing');
      assert.equal((await erase(context, await contact())).orders, 1);
      assert.deepEqual(await tablesWith(world.admin, marker), []);
      const then = await good(send('POST', `/checkouts/${id}/confirm`, { outcome }, token));
      assert.deepEqual([then.status, then['email']], [outcome === 'succeed' ? 'completed' : 'ready', null]);
      const orders = await world.admin.query(sql`
        select email, country, total = 1490 as full, erased_at is not null as erased from orders.sales_order where tenant_id = ${tenant}::uuid`);
      const placed = { email: null, country: 'DE', full: true, erased: true };
      assert.deepEqual(orders, outcome === 'succeed' ? [placed, placed] : [placed]);
      assert.deepEqual(await tablesWith(world.admin, marker), []);
    }
  });

  test('at the moment when a checkout of theirs completes is in its order before and taken out, or in none', async () => {
    const { goods, send, ready, context, tenant, marker, said, contact } = await opened();
    const cup = await goods.variant();
    const met = new Set<string>();
    for (let round = 0; round < 10; round += 1) {
      const first = await ready(cup, 1, said);
      await send('POST', `/checkouts/${first.id}/complete`, invoice, first.token);
      const contactId = await contact();
      const { id, token } = await ready(cup, 1, said);
      const [answer] = await Promise.all([
        send('POST', `/checkouts/${id}/complete`, invoice, token),
        erase(context, contactId),
      ]);
      met.add(String(answer.body['status'] ?? answer.body['code']));
      assert.deepEqual(await tablesWith(world.admin, marker), [], `round ${round}: ${answer.text}`);
    }
    const [row] = await world.admin.query<{ n: number }>(sql`
      select count(*)::int as n from orders.sales_order where tenant_id = ${tenant}::uuid and erased_at is null`);
    assert.equal(row?.n, 0, [...met].join());
  });

  test('is taken out of a single order that only its id is known of', async () => {
    const { goods, send, good, ready, context, marker, said, contact } = await opened();
    const { id, token } = await ready(await goods.variant(), 1, said);
    const { order } = await good(send('POST', `/checkouts/${id}/complete`, invoice, token));
    assert.equal(await eraseOrder(context, order?.id ?? '', 'requested'), true);
    assert.equal(await eraseOrder(context, order?.id ?? '', 'requested'), false);
    assert.deepEqual(await tablesWith(world.admin, marker), ['crm.contact', 'crm.contact_term']);
    assert.equal((await erase(context, await contact())).orders, 1);
  });
});
