import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { sql } from '@steward/sql';
import { goodsOf } from '../fixtures/goods.ts';
import { ask, createWorld, type Running, type World } from '../fixtures/world.ts';

let world: World;
let server: Running;
before(async () => {
  world = await createWorld();
  server = await world.start();
});
after(async () => world[Symbol.asyncDispose]());

for (let time = 1; time <= Number(process.env['LONG_RUNS'] ?? 1); time += 1)
  test('a process that is killed amid checkouts leaves each whole or not at all, and another one goes on with it', async () => {
    const site = await server.site(await server.tenant());
    const { tenant } = site.context;
    const goods = goodsOf(world.admin, tenant);
    const shippingOptionId = await goods.served('DE');
    const variants = [await goods.variant({ stock: 400 }), await goods.variant({ stock: 400 }), await goods.variant()];
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('../fixtures/child.ts', import.meta.url)), world.db.appUrl, world.dataDir],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const origin = line.toString().trim();
    const send = async (at: string, method: string, path: string, body: object, headers: Record<string, string> = {}) =>
      ask({ origin: at }, `/storefront/v1${path}`, {
        method,
        key: site.key,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    interface Buying {
      readonly id: string;
      readonly headers: Record<string, string>;
    }
    const buying: Buying[] = [];
    const promised = new Map<string, string>();
    const complete = async (at: string, { id, headers }: Buying): Promise<string> => {
      const { body } = await send(
        at,
        'POST',
        `/checkouts/${id}/complete`,
        { payment: { handler: 'manual', method: 'invoice' } },
        headers,
      );
      return (body['order'] as { number: string } | undefined)?.number ?? `none: ${JSON.stringify(body)}`;
    };
    const visit = async (n: number): Promise<void> => {
      for (let round = 0; ; round += 1)
        try {
          const lines = [
            { variantId: variants[n % 2], quantity: 1 },
            { variantId: variants[(n + 1) % 2], quantity: 2 },
            { variantId: variants[2], quantity: 1 },
          ];
          const { body } = await send(origin, 'POST', '/checkouts', { lines });
          const { id, token } = body as unknown as { id: string; token: string };
          const headers = { 'x-cart-token': token, 'idempotency-key': randomUUID() };
          const said = {
            email: `v${n}-${round % 3}@example.com`,
            shippingAddress: { line1: 'Weg 1', city: 'Berlin', country: 'DE' },
            shippingOptionId,
          };
          await send(origin, 'PATCH', `/checkouts/${id}`, said, { 'x-cart-token': token });
          buying.push({ id, headers });
          promised.set(id, await complete(origin, { id, headers }));
          if (promised.size >= 20) child.kill('SIGKILL');
        } catch {
          return;
        }
    };
    await Promise.all(Array.from({ length: 8 }, async (_one, n) => visit(n)));

    // What the killed one was asked for is asked for again, of another.
    const numbers = new Map(
      await Promise.all(buying.map(async (one) => [one.id, await complete(server.origin, one)] as const)),
    );
    for (const [id, number] of promised) assert.equal(numbers.get(id), number, 'what was promised is so');
    const all = buying.length;
    assert.deepEqual(
      [...numbers.values()].toSorted(),
      Array.from({ length: all }, (_one, at) => String(1001 + at)).toSorted(),
      'numbers have no gap',
    );
    const [row] = await world.admin.query(sql`select
    (select count(*)::int from orders.sales_order where tenant_id = ${tenant}::uuid) as orders,
    (select count(*)::int from orders.payment where tenant_id = ${tenant}::uuid) as payments,
    (select count(*)::int from checkout.session where tenant_id = ${tenant}::uuid and status = 'completed') as completed,
    (select count(*)::int from checkout.session where tenant_id = ${tenant}::uuid and status = 'completing') as completing,
    (select sum(reserved)::int from stock.level where tenant_id = ${tenant}::uuid and mode = 'live') as reserved,
    (select sum(quantity)::int from stock.reservation where tenant_id = ${tenant}::uuid) as promised,
    (select count(*)::int from audit.event where tenant_id = ${tenant}::uuid and type = 'commerce.order.placed') as recorded`);
    assert.deepEqual(row, {
      orders: all,
      payments: all,
      completed: all,
      completing: 0,
      reserved: 3 * all,
      promised: 3 * all,
      recorded: all,
    });
  });
