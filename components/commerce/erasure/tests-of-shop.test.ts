import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { permit } from '@steward/access';
import { recorded as ofCheckout } from '@steward/checkout';
import { newId } from '@steward/kernel';
import { editOrder, fulfilOrder, recorded as ofOrders, recordOrderPayment, refundOrder } from '@steward/orders';
import { sql, statement, type TenantContext } from '@steward/sql';
import { issueKey } from '@steward/studio';
import { recorded as ofStock } from '@steward/stock';
import { eventsOfRows } from '@steward/verification';
import { berlin, invoice, opening } from '../fixtures/buying.ts';
import { ask, createWorld, type Running, type World } from '../fixtures/world.ts';
import { eraseTests, mostTests } from './erase-tests.ts';

type Shop = Awaited<ReturnType<ReturnType<typeof opening>>>;
/** To another house of the same street, for which nothing is asked. */
const editing = {
  quoteEdit: async () => assert.fail('nothing is asked'),
  noteOnTimeline: async () => undefined,
  mediaAt: '',
};
type Verb = (context: TenantContext, input: object, ports?: object) => Promise<unknown>;

describe('tests of a shop', () => {
  let world: World;
  let server: Running;
  before(async () => {
    world = await createWorld();
    server = await world.start();
  });
  after(async () => world[Symbol.asyncDispose]());

  /** Buys twice with a key, and once not to the end: of the first order everything became that can. */
  async function lives({ goods, tenant, context }: Shop, key: string, mode: string): Promise<void> {
    const cup = await goods.variant({ stock: 9 });
    const send = async (method: string, path: string, body?: unknown, token = '') => {
      const answer = await ask(server, `/storefront/v1${path}`, {
        method,
        key,
        headers: { 'x-cart-token': token, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      assert.ok(answer.status < 300, answer.text);
      return answer.body as { id: string; token: string; order?: { id: string } | null };
    };
    const [option] = await world.admin.query(
      sql`select shipping_option_id from checkout.shipping_option where tenant_id = ${tenant}::uuid`,
    );
    const said = {
      email: `${mode}@example.com`,
      shippingAddress: { name: 'Ann', line1: 'Weg 1', city: 'Berlin', postcode: '10115', country: 'DE' },
      shippingOptionId: option?.['shipping_option_id'],
      codes: ['TEN'],
    };
    const buys = async (payment: object): Promise<string> => {
      const { id, token } = await send('POST', '/checkouts', { lines: [{ variantId: cup, quantity: 2 }] });
      await send('PATCH', `/checkouts/${id}`, said, token);
      const { order } = await send('POST', `/checkouts/${id}/complete`, payment, token);
      return order?.id ?? '';
    };
    const orderId = await buys(invoice);
    await buys(invoice);
    await send('POST', '/carts', { lines: [{ variantId: cup, quantity: 1 }] });
    await send('POST', '/checkouts', { lines: [{ variantId: cup, quantity: 1 }] });
    if (mode === 'test') await buys({ payment: { handler: 'test', method: 'require_action' } });
    const [line] = await world.admin.query(
      sql`select line_id from orders.line where tenant_id = ${tenant}::uuid and order_id = ${orderId}::uuid`,
    );
    const lines = [{ lineId: line?.['line_id'], quantity: 1 }];
    const to = { ...berlin, line1: 'Weg 2' };
    await (editOrder as unknown as Verb)(context, { orderId, version: 1, shippingAddress: to }, editing);
    await (recordOrderPayment as unknown as Verb)(context, { orderId });
    await (fulfilOrder as unknown as Verb)(context, { orderId, lines });
    await (refundOrder as unknown as Verb)(context, { orderId, lines, reason: 'other' });
    const returnId = newId();
    await world.admin.query(sql`
      insert into orders.return (tenant_id, return_id, order_id, mode, reason)
      values (${tenant}::uuid, ${returnId}::uuid, ${orderId}::uuid, ${mode}, 'other')`);
    await world.admin.query(sql`
      insert into orders.return_line (tenant_id, return_id, order_id, line_id, quantity)
      values (${tenant}::uuid, ${returnId}::uuid, ${orderId}::uuid, ${line?.['line_id']}::uuid, 1)`);
    await world.admin.query(
      sql`insert into orders.tag (tenant_id, tag, order_id) values (${tenant}::uuid, 'new', ${orderId}::uuid)`,
    );
    await world.admin.query(sql`
      insert into stock.held_requirement (tenant_id, holder_id, mode, variant_id, item_id, quantity)
      select distinct tenant_id, holder_id, mode, ${cup}::uuid, item_id, 1 from stock.reservation
      where tenant_id = ${tenant}::uuid and mode = ${mode}`);
    // As if a card had paid and its provider were asked.
    await world.admin.query(sql`
      insert into orders.payment_request (tenant_id, request_id, payment_id, kind, amount, source_kind, source_id, state)
      select tenant_id, ${newId()}::uuid, payment_id, 'capture', 1, 'order', order_id, 'done' from orders.payment
      where tenant_id = ${tenant}::uuid and order_id = ${orderId}::uuid limit 1`);
    await world.admin.query(sql`
      insert into orders.letter (tenant_id, about, reader, owed)
      values (${tenant}::uuid, ${`placed ${orderId}`}, 'buyer', true)`);
  }

  /** Every table of the schemas in which some table has a mode, as the catalogue of the database lists them: its rows as JSON. */
  async function rowsOf(tenant: string): Promise<Map<string, readonly string[]>> {
    const tables = await world.admin.query<{ name: string; moded: boolean }>(sql`
      with t as (
        select n.nspname as s, c.oid, format('%I.%I', n.nspname, c.relname) as name,
          exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'mode' and not a.attisdropped) as moded
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id'))
      select name, moded from t where s in (select s from t where moded) order by 1`);
    assert.ok(tables.length > 20, `${tables.length} tables with a mode, and those beside them`);
    const found = new Map<string, readonly string[]>();
    for (const { name, moded } of tables) {
      const rows = await world.admin.query<{ said: string }>(
        statement(`select to_jsonb(t)::text as said from ${name} t where tenant_id = $1::uuid order by 1`, [tenant]),
      );
      found.set(
        moded ? `${name} by mode` : name,
        rows.map(({ said }) => said),
      );
    }
    return found;
  }

  const told = async (tenant: string): Promise<readonly string[]> =>
    world.admin.withClient(async (client) => {
      await client.query('begin');
      try {
        await client.query(`set local role ${world.db.name}_job_audit_verifier`);
        const rows = eventsOfRows([...ofOrders, ...ofStock, ...ofCheckout]);
        const findings = await rows({ ownerUrl: world.db.ownerUrl, client, tenant });
        return findings.map(({ detail }) => detail);
      } finally {
        await client.query('rollback');
      }
    });

  const isTest = (said: string): boolean => {
    const { mode, part } = JSON.parse(said) as { mode?: string; part?: string };
    return mode === 'test' || part?.startsWith('test') === true;
  };
  /** They stay: what a number is taken from, the keys that people made, and how much is kept, which is nothing then. */
  const stay = new Set(['orders.counter by mode', 'studio.sdk_key by mode', 'checkout.kept']);

  test('go together from every table, and no live row changes', async () => {
    const shop = await opening(world, server)('live');
    const { tenant, goods, context, siteId, key } = shop;
    await goods.discount(10, 'TEN');
    const made = await issueKey(context, { siteId, label: 'T', mode: 'test' }, server.studio.deps);
    await lives(shop, key, 'live');
    const live = await rowsOf(tenant);
    await lives(shop, made.key ?? '', 'test');
    const all = await rowsOf(tenant);
    const toldBefore = await told(tenant);
    const ids = new Set(
      [...all].flatMap(([name, rows]) =>
        rows.filter(isTest).flatMap((said) => {
          const row = JSON.parse(said) as Record<string, unknown>;
          return [
            'order_id',
            'checkout_id',
            'cart_id',
            'payment_id',
            'return_id',
            'refund_id',
            'holder_id',
            'movement_id',
          ]
            .concat(name.startsWith('studio.sdk_key') ? ['key_id'] : [])
            .flatMap((column) => (typeof row[column] === 'string' ? [row[column]] : []));
        }),
      ),
    );
    const about = (said: string): boolean => isTest(said) || [...ids].some((id) => said.includes(id));
    // Every table of orders and checkouts that can say something of a test does, and all that has a mode: the test compares something.
    const blank = [...all.keys()].filter((name) => {
      const rows = all.get(name) ?? [];
      return (
        (name.endsWith('by mode') || name.startsWith('orders.')) &&
        !(rows.some(about) && rows.some((said) => !about(said)))
      );
    });
    // Settings are of no order; that a form was submitted stays, and how often on a day.
    assert.deepEqual(blank, [
      'commerce.form_day by mode',
      'commerce.submission by mode',
      'orders.letter_setting',
      'orders.payment_setting',
      'studio.submission by mode',
    ]);

    assert.deepEqual(await eraseTests(context, { before: '2020-01-01T00:00:00Z' }), {
      orders: 0,
      checkouts: 0,
      submissions: 0,
      contacts: 0,
      more: false,
    });
    const erased = await eraseTests(context, {});
    assert.deepEqual([erased.orders, erased.checkouts, erased.submissions, erased.more], [2, 4, 0, false]);
    const now = await rowsOf(tenant);
    for (const [name, rows] of all) {
      const left = now.get(name) ?? [];
      assert.deepEqual(
        left.filter((said) => !about(said)),
        rows.filter((said) => !about(said)),
        `${name}: what is live`,
      );
      if (!stay.has(name)) assert.deepEqual(left.filter(about), [], `${name}: what is of tests`);
      if (name === 'checkout.kept')
        for (const said of left.filter(about)) assert.equal((JSON.parse(said) as { bytes: number }).bytes, 0, said);
    }
    for (const name of ['orders.sales_order by mode', 'orders.line', 'stock.movement by mode', 'checkout.request'])
      assert.deepEqual(now.get(name), live.get(name), name);
    const [uses] = await world.admin.query(sql`
      select d.used::int as used, (select count(*)::int from checkout.discount_use u where u.tenant_id = d.tenant_id) as kept
      from checkout.discount d where d.tenant_id = ${tenant}::uuid`);
    assert.deepEqual(uses, { used: 2, kept: 2 });
    // Goods of the fixture have no events; nothing is told beside them.
    assert.deepEqual(
      (await told(tenant)).filter((detail) => !toldBefore.includes(detail)),
      [],
    );
    const [event] = await world.admin.query<{ event: string }>(sql`
      select event from audit.event where tenant_id = ${tenant}::uuid and type = 'commerce.order.tests_deleted'`);
    const { payload } = JSON.parse(event?.event ?? '{}') as { payload: { order_ids: string[]; payments: number } };
    assert.deepEqual([payload.order_ids.length, payload.payments], [2, 1]);
    assert.equal((await eraseTests(context, {})).orders, 0);
  });

  test('go by batches, and the sandbox of stock with the last', async () => {
    const shop = await opening(world, server)('test');
    const cup = await shop.goods.variant({ stock: 9 });
    const { id, token } = await shop.ready(cup, 1);
    await shop.good(shop.send('POST', `/checkouts/${id}/complete`, invoice, token));
    await world.admin.query(sql`
      insert into checkout.cart (tenant_id, cart_id, brand_id, mode, token_sha256, status, currency, lines, codes, expires_at)
      select tenant_id, gen_random_uuid(), brand_id, mode, token_sha256, 'open', currency, lines, '{}', expires_at
      from checkout.session cross join generate_series(1, ${mostTests}::int + 1) where tenant_id = ${shop.tenant}::uuid`);
    const [first, second] = [await eraseTests(shop.context, {}), await eraseTests(shop.context, {})];
    const carts = await world.admin.query(sql`select from checkout.cart where tenant_id = ${shop.tenant}::uuid`);
    assert.deepEqual([first.orders, first.checkouts, first.more], [1, 1, true]);
    assert.deepEqual([second.orders, second.more, carts.length, await shop.levels('test')], [0, false, 0, []]);
    assert.deepEqual(await shop.levels(), ['9 - 0']);
  });

  test('that are live are deleted by no ids that the function is given', async () => {
    const shop = await opening(world, server)('live');
    const { id, token } = await shop.ready(await shop.goods.variant());
    await shop.good(shop.send('POST', `/checkouts/${id}/complete`, invoice, token));
    const kept = await rowsOf(shop.tenant);
    const every = await world.admin.query<{ id: string }>(
      sql`select order_id as id from orders.sales_order union all select payment_id from orders.payment`,
    );
    const ids = every.map((row) => row.id);
    await shop.context
      .require(permit('any', ['owner']))
      .write(async (tx) => tx.query(sql`select orders.delete_tests(${ids}::uuid[], ${ids}::uuid[])`));
    assert.deepEqual(await rowsOf(shop.tenant), kept);
  });
});
