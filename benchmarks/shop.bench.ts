import { fork } from 'node:child_process';
import { createProcessWorld, openStore } from '@steward/conformance/world';
import { newId } from '@steward/kernel';
import { openPool, sql, type SqlPool, statement, type Statement } from '@steward/sql';
import { messageOf } from './child.ts';
import { type Bench, interleave, type Row, sized } from './report.ts';
import { buyerOf, generous, type Json } from './shop/buyer.ts';
import { spender, type Spent, sumOf } from './spent.ts';

const rounds = sized(5);
/** Enough for the clock, which counts in hundredths of a second. */
const reads = sized(4_000, 10);
const writes = sized(150, 2);
const products = sized(10_000, 100);

export default {
  name: 'A shop: CPU of server and database, ms a request',
  run: async () => {
    await using world = await createProcessWorld(generous);
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    const store = await openStore(world);
    const variants = [...store.variants.values()].slice(0, 3);
    for (const variant of variants) await store.count(variant, 1_000_000);
    const base = `${world.server.addresses.commerce}/storefront/v1`;
    const spent = await spender(admin);

    const pid = world.server.child.pid ?? 0;
    const buyer = buyerOf(base, store.key, variants);
    const { send, complete } = buyer;
    const lines = variants.map((variantId) => ({ variantId, quantity: 1 }));

    const first = await complete(await buyer.ready());
    if (first.status !== 'completed') throw new Error(`the checkout is ${first.status}`);
    const written = await writtenBy(admin, String(first.order?.id));
    const [cartRow = {}] = await rowsOf(admin, 'checkout.cart', 'true order by created_at desc limit 1');

    const page = '/products/stoneware-mug';
    const shown = await fetch(`${base}${page}`, { headers: { 'x-service-sdk-key': store.key } });
    const text = await shown.text();
    const bare = fork(new URL('storefront/bare.ts', import.meta.url), { execArgv: ['--max-semi-space-size=8'] });
    const byNode = ['date', 'connection', 'keep-alive', 'content-length'];
    bare.send({ text, fields: Object.fromEntries([...shown.headers].filter(([name]) => !byNode.includes(name))) });
    const { port } = await messageOf<{ port: number }>(bare);
    const told = async (what: Promise<Spent>, key: string): Promise<number> => {
      const found = await what;
      (figures[key] ??= []).push(found);
      return sumOf(found);
    };
    const figures: Record<string, Spent[]> = {};
    await multiply(admin, products);
    const contestants = {
      page: async () =>
        told(
          spent(pid, reads, async () => send('GET', page)),
          'page',
        ),
      same: async () =>
        told(
          spent(bare.pid ?? 0, reads, async () => (await fetch(`http://127.0.0.1:${port}/forms/x/schema`)).text()),
          'same',
        ),
      body: async () =>
        told(
          spent(bare.pid ?? 0, reads, async () => (await fetch(`http://127.0.0.1:${port}/forms/x/body`)).text()),
          'body',
        ),
      list: async () =>
        told(
          spent(pid, sized(300, 3), async () => send('GET', '/products?limit=50')),
          'list',
        ),
      empty: async () => told(spent(pid, writes, buyer.cart), 'empty'),
      add: async () => {
        const carts = await Promise.all(Array.from({ length: writes }, buyer.cart));
        return told(
          spent(pid, writes, async (n) =>
            send('POST', `/carts/${carts[n]?.id}/lines`, carts[n]?.token, { lines: lines.slice(0, 1) }),
          ),
          'add',
        );
      },
      insert: async () =>
        told(
          spent(process.pid, writes, async () =>
            admin.query(inserted('checkout.cart', { ...cartRow, cart_id: newId() })),
          ),
          'insert',
        ),
      complete: async () => {
        const ready: Json[] = [];
        for (let n = 0; n < writes; n += 1) ready.push(await buyer.ready());
        return told(
          spent(pid, writes, async (n) => complete(ready[n] as Json)),
          'complete',
        );
      },
      written: async () =>
        told(
          spent(process.pid, writes, async () => admin.queryAll(written())),
          'written',
        ),
      whole: async () =>
        told(
          spent(pid, writes, async () => complete(await buyer.ready())),
          'whole',
        ),
    };
    for (const contestant of Object.values(contestants)) await contestant();
    for (const key of Object.keys(figures)) figures[key] = [];
    const measured = await interleave(rounds, contestants);
    bare.disconnect();
    const mean = (key: keyof typeof contestants, side: keyof Spent): number => {
      const found = figures[key] ?? [];
      return found.reduce((sum, one) => sum + one[side], 0) / found.length;
    };
    const apart = (key: keyof typeof contestants): string =>
      `${mean(key, 'server').toFixed(2)} + ${mean(key, 'database').toFixed(2)} ms`;
    const against = (
      name: string,
      of: keyof typeof contestants,
      peer: keyof typeof contestants,
      bar?: number,
    ): Row => ({
      name,
      ratio: measured[peer] / measured[of],
      ...(bar === undefined ? {} : { bar: { atLeast: bar } }),
      detail: `server + database: ${apart(of)} against ${apart(peer)}`,
    });
    const cost = (name: string, of: keyof typeof contestants, atMost?: number): Row => ({
      name,
      ratio: measured[of],
      ...(atMost === undefined ? {} : { bar: { atMost } }),
      detail: `server + database: ${apart(of)}`,
    });
    return [
      against('a product’s page, warm, against a bare handler of the same bytes', 'page', 'same', 0.8),
      against('the same, against a bare handler of its body with no fields of ours', 'page', 'body'),
      cost(`a list of 50 of ${products} products, ms`, 'list', 3),
      cost('an empty cart, ms', 'empty'),
      against('add to a cart against one plain insert of its row', 'add', 'insert', 0.4),
      against('complete three lines against its rows written by hand', 'complete', 'written', 0.25),
      ...(['server', 'database'] as const).map((side) => ({
        name: `a whole checkout of eight requests, ms of the ${side}`,
        ratio: mean('whole', side),
        bar: { atMost: 6 },
        detail: `server + database: ${apart('whole')}`,
      })),
    ];
  },
} satisfies Bench;

/** What can be written of rows again: nothing of it is generated. */
async function rowsOf(admin: SqlPool, table: string, where: string): Promise<Record<string, unknown>[]> {
  const found = await admin.query<{ row: Record<string, unknown> }>(
    statement(`select to_jsonb(t) as row from ${table} t where ${where}`),
  );
  const free = await admin.query<{ name: string }>(
    sql`select attname as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''`,
  );
  return found.map(({ row }) => Object.fromEntries(free.map(({ name }) => [name, row[name]])));
}

/** All of a row, as it is in JSON. */
const inserted = (table: string, row: object): Statement => {
  const names = Object.keys(row);
  return statement(
    `insert into ${table} (${names.join(', ')}) select ${names.join(', ')} from jsonb_populate_record(null::${table}, $1::jsonb)`,
    [JSON.stringify(row)],
  );
};

/** A transaction that writes an order as by hand: order, lines, payment, contact, events, announcements, and stock that goes down; each under a tenant of its own. */
async function writtenBy(admin: SqlPool, orderId: string): Promise<() => Statement[]> {
  const [of] = await admin.query<{ tenant: string; contact: string }>(
    sql`select tenant_id as tenant, contact_id as contact from orders.sales_order where order_id = ${orderId}::uuid`,
  );
  const kept: { table: string; row: Record<string, unknown> }[] = [];
  for (const [table, where] of [
    ['orders.sales_order', `order_id = '${orderId}'`],
    ['orders.line', `order_id = '${orderId}'`],
    ['orders.payment', `order_id = '${orderId}'`],
    ['crm.contact', `contact_id = '${of?.contact}'`],
    ['audit.event', `sequence = (select max(sequence) from audit.event where tenant_id = '${of?.tenant}')`],
    ['bus.outbox', 'true order by 1 desc limit 1'],
  ] as const) {
    const found = await rowsOf(admin, table, `tenant_id = '${of?.tenant}' and ${where}`);
    for (const row of found) kept.push({ table, row });
  }
  return () => {
    const tenant = newId();
    return [
      ...kept.map(({ table, row }) => inserted(table, { ...row, tenant_id: tenant })),
      sql`update stock.level set on_hand = on_hand - 1 where tenant_id = ${of?.tenant}::uuid and mode = 'test'`,
    ];
  };
}

/** As many products as that, beside the first. */
async function multiply(admin: SqlPool, count: number): Promise<void> {
  const texts = [
    `create temp table copies as select p.tenant_id, p.product_id as old, v.variant_id as oldv, gen_random_uuid() as id, gen_random_uuid() as v, n
     from catalogue.product p join catalogue.variant v using (tenant_id, product_id), generate_series(1, ${count}) n where p.handle = 'stoneware-mug'`,
    `insert into catalogue.product (tenant_id, product_id, handle, title, status, tax_category)
     select tenant_id, id, 'copy-' || n, 'Copy ' || n, 'active', 'standard' from copies`,
    `insert into catalogue.variant (tenant_id, variant_id, product_id, position, option_values, requires_shipping)
     select tenant_id, v, id, 0, '{}', true from copies`,
    `insert into catalogue.price (tenant_id, variant_id, currency, min_quantity, amount)
     select tenant_id, v, 'EUR', 1, 1000 from copies`,
    `insert into catalogue.publication (tenant_id, brand_id, product_id)
     select c.tenant_id, b.brand_id, c.id from copies c join catalogue.publication b on b.tenant_id = c.tenant_id and b.product_id = c.old`,
    ...['product', 'variant', 'price', 'publication'].map((table) => `analyze catalogue.${table}`),
  ];
  for (const text of texts) await admin.query(statement(text));
}
