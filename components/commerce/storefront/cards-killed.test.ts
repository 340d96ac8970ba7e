import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { openStripe, type StripeStub } from '@steward/orders/testing';
import { sql } from '@steward/sql';
import { opening } from '../fixtures/buying.ts';
import { ask, cardsAt, createWorld, type Running, type World } from '../fixtures/world.ts';

let world: World;
let server: Running;
let stripe: StripeStub;
before(async () => {
  world = await createWorld();
  stripe = await openStripe();
  server = await world.start({ cards: cardsAt(stripe.url) });
});
after(async () => {
  await world[Symbol.asyncDispose]();
  await stripe[Symbol.asyncDispose]();
});

for (let time = 1; time <= Number(process.env['LONG_RUNS'] ?? 1); time += 1)
  test('a process that is killed amid payments by card leaves no buyer charged twice and none charged without an order', async () => {
    const shop = await opening(world, server)('live');
    const cup = await shop.goods.variant({ cents: 1000, stock: 400 });
    const child = spawn(
      process.execPath,
      [
        fileURLToPath(new URL('../fixtures/child.ts', import.meta.url)),
        world.db.appUrl,
        world.dataDir,
        stripe.url.href,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const dying = { origin: line.toString().trim() };
    const asking = (at: { readonly origin: string }, path: string, token: string, body: object) =>
      ask(at, `/storefront/v1${path}`, {
        method: 'POST',
        key: shop.key,
        headers: { 'content-type': 'application/json', 'x-cart-token': token },
        body: JSON.stringify(body),
      });
    const card = { payment: { handler: 'card', method: 'card' } };
    const checkouts = await Promise.all(Array.from({ length: 12 }, async () => shop.ready(cup)));
    const dies = 8 + Math.floor(Math.random() * 25);
    let asked = 0;
    const step = async (path: string, token: string, body: object): Promise<void> => {
      if ((asked += 1) === dies) child.kill('SIGKILL');
      await asking(dying, path, token, body).catch(() => undefined);
    };
    await Promise.all(
      checkouts.map(async ({ id, token }) => {
        await step(`/checkouts/${id}/complete`, token, card);
        for (const intent of stripe.intents.values())
          if (intent.metadata['checkout_id'] === id && intent.status === 'requires_payment_method')
            stripe.confirm(intent.id);
        await step(`/checkouts/${id}/confirm`, token, {});
        await step(`/checkouts/${id}/confirm`, token, {});
      }),
    );
    child.kill('SIGKILL');
    // Another process goes on with them; what was never confirmed is by now.
    for (const { id, token } of checkouts) {
      await asking(server, `/checkouts/${id}/complete`, token, card);
      for (const intent of stripe.intents.values())
        if (intent.metadata['checkout_id'] === id && intent.status === 'requires_payment_method')
          stripe.confirm(intent.id);
      const { body } = await asking(server, `/checkouts/${id}/confirm`, token, {});
      assert.equal(body['status'], 'completed', JSON.stringify(body));
    }
    await world.admin.query(sql`update orders.payment_request set next_at = clock_timestamp() where state = 'asked'`);
    await server.carryOut();
    const { tenant } = shop;
    const [row] = await world.admin.query(sql`select
      (select count(*)::int from orders.sales_order where tenant_id = ${tenant}::uuid) as orders,
      (select count(*)::int from orders.sales_order where tenant_id = ${tenant}::uuid and payment_status = 'paid') as paid,
      (select count(*)::int from orders.payment where tenant_id = ${tenant}::uuid) as payments,
      (select count(*)::int from orders.payment_operation where tenant_id = ${tenant}::uuid) as operations`);
    const all = checkouts.length;
    assert.deepEqual(row, { orders: all, paid: all, payments: all, operations: all });
    const own = [...stripe.intents.values()].filter(({ metadata }) => metadata['tenant_id'] === tenant);
    assert.deepEqual(
      own.map(({ status }) => status),
      Array.from({ length: all }, () => 'succeeded'),
      'one intent each, captured',
    );
  });
