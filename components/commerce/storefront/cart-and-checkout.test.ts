import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '@steward/sql';
import { goodsOf } from '../fixtures/goods.ts';
import { ask, type Answer, createWorld, type Running, type World } from '../fixtures/world.ts';

const berlin = { name: 'Ann', line1: 'Weg 1', city: 'Berlin', postcode: '10115', country: 'DE' };
const invoice = { payment: { handler: 'manual', method: 'invoice' } };

describe('a cart and its checkout', () => {
  let world: World;
  let server: Running;
  before(async () => {
    world = await createWorld();
    server = await world.start();
  });
  after(async () => world[Symbol.asyncDispose]());

  const opened = async () => {
    const { context, key } = await server.site(await server.tenant());
    const { tenant } = context;
    const goods = goodsOf(world.admin, tenant);
    const shippingOptionId = await goods.served('DE');
    const variantId = await goods.variant({ stock: 1_000 });
    const send = async (method: string, path: string, token?: string, body?: unknown): Promise<Answer> =>
      ask(server, `/storefront/v1${path}`, {
        method,
        key,
        headers: {
          ...(token === undefined ? {} : { 'x-cart-token': token }),
          ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const good = async (answer: Promise<Answer>): Promise<Record<string, string>> => {
      const { status, body, text } = await answer;
      assert.ok(status < 300, text);
      return body as Record<string, string>;
    };
    /** A cart and the checkout of it, which has all it needs. */
    const ready = async () => {
      const { id: cart = '', token = '' } = await good(
        send('POST', '/carts', undefined, { lines: [{ variantId, quantity: 1 }] }),
      );
      const { id: checkout = '' } = await good(send('POST', '/checkouts', token, { cartId: cart }));
      const said = { email: 'ann@example.com', shippingAddress: berlin, shippingOptionId };
      assert.equal((await good(send('PATCH', `/checkouts/${checkout}`, token, said)))['status'], 'ready');
      return {
        cart,
        checkout,
        token,
        complete: async () => send('POST', `/checkouts/${checkout}/complete`, token, invoice),
        cancelCart: async () => send('DELETE', `/carts/${cart}`, token),
        open: async () => send('POST', '/checkouts', token, { cartId: cart }),
        change: async () => send('PATCH', `/checkouts/${checkout}`, token, { note: randomUUID() }),
        cancel: async () => send('POST', `/checkouts/${checkout}/cancel`, token),
      };
    };
    return { tenant, goods, variantId, send, ready };
  };

  test('that are bought and cancelled at once end in one way, and whoever comes late is told', async () => {
    const { tenant, ready } = await opened();
    const all = await Promise.all(Array.from({ length: 12 }, ready));
    const ends = await Promise.all(
      all.map(async (one, at) => {
        const calls = [one.complete, one.cancelCart, one.change, one.open, one.cancelCart, one.complete];
        const turned = [...calls.slice(at % 6), ...calls.slice(0, at % 6)];
        const answers = await Promise.all(turned.map(async (call) => [call, await call()] as const));
        const of = (call: unknown) =>
          answers
            .filter(([made]) => made === call)
            .map(([, { status, body }]) => `${status} ${String(body['code'] ?? body['status'])}`)
            .toSorted();
        return { one, bought: of(one.complete), cancelled: of(one.cancelCart) };
      }),
    );
    const rows = await world.admin.query<{ cart: string; cart_status: string; status: string; orders: number }>(sql`
      select c.cart_id as cart, c.status as cart_status, s.status,
        (select count(*)::int from orders.sales_order o where o.tenant_id = s.tenant_id and o.checkout_id = s.checkout_id) as orders
      from checkout.cart c join checkout.session s using (tenant_id, checkout_id) where c.tenant_id = ${tenant}::uuid`);
    assert.equal(rows.length, 12);
    for (const { one, bought, cancelled } of ends) {
      const row = rows.find(({ cart }) => cart === one.cart);
      const found = { cart: row?.cart_status, checkout: row?.status, orders: row?.orders, bought, cancelled };
      if (row?.orders === 1)
        assert.deepEqual(found, {
          cart: 'converted',
          checkout: 'completed',
          orders: 1,
          bought: ['200 completed', '200 completed'],
          cancelled: ['409 cart_closed', '409 cart_closed'],
        });
      else {
        assert.deepEqual([found.cart, found.checkout, found.orders], ['cancelled', 'cancelled', 0]);
        assert.deepEqual(cancelled, ['200 cancelled', '409 cart_closed']);
        assert.deepEqual(bought, ['409 checkout_closed', '409 checkout_closed']);
      }
    }
  });

  test('are locked in one order by everybody: whoever waits for the cart holds nothing of the checkout', async () => {
    const { tenant, ready } = await opened();
    for (const call of ['complete', 'change', 'cancel', 'open', 'cancelCart'] as const) {
      const one = await ready();
      const answer = await world.admin.withClient(async (client) => {
        await client.query('begin');
        await client.query('select from checkout.cart where tenant_id = $1 and cart_id = $2 for update', [
          tenant,
          one.cart,
        ]);
        const asked = one[call]();
        const waits = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and wait_event_type = 'Lock'`;
        while ((await client.query(waits)).rows.length === 0) await pause(5);
        await client.query('select from checkout.session where tenant_id = $1 and checkout_id = $2 for update nowait', [
          tenant,
          one.checkout,
        ]);
        await client.query('commit');
        return asked;
      });
      assert.equal(answer.status, 200, `${call}: ${answer.text}`);
    }
  });

  test('stay while the checkout is being paid: its cart is cancelled afterwards or not at all', async () => {
    const { tenant, ready } = await opened();
    const one = await ready();
    await world.admin.query(
      sql`update checkout.session set status = 'completing' where tenant_id = ${tenant}::uuid and checkout_id = ${one.checkout}::uuid`,
    );
    const refused = await one.cancelCart();
    assert.deepEqual([refused.status, refused.body['code']], [409, 'payment_in_progress']);
    const [row] = await world.admin.query(
      sql`select status from checkout.cart where tenant_id = ${tenant}::uuid and cart_id = ${one.cart}::uuid`,
    );
    assert.equal(row?.['status'], 'open');
  });
});
