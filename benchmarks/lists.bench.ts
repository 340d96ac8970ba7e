import { listPublished } from '@steward/catalogue';
import { createProcessWorld, openStore, type Sold, type World } from '@steward/conformance/world';
import { newId } from '@steward/kernel';
import { openPool, sql, type SqlPool, statement, type Statement, type TenantContext } from '@steward/sql';
import { buyable } from '@steward/stock';
import { type Bench, interleave, type Row, sized } from './report.ts';
import { spender, type Spent, sumOf } from './spent.ts';

const rounds = sized(5);
const reads = sized(200, 3);
const many = sized(100_000, 1_000);
/** Twice a page, so that a page of every other one is whole. */
const few = 100;
const limit = 50;
const generous = { STOREFRONT_PER_IP_PER_MINUTE: '1000000000', STOREFRONT_PER_KEY_PER_MINUTE: '1000000000' };
/** What every other product has. */
const tag = 'half';
const facets = ['vendor', 'option:Colour'];

interface Shelf {
  readonly key: string;
  readonly tenant: string;
  readonly brand: string;
}

export default {
  name: 'Lists of a shop: CPU of server and database, ms a request',
  run: async () => {
    await using world = await createProcessWorld(generous);
    await using admin = openPool({ url: world.db.adminUrl, size: 1, statementMilliseconds: 0 });
    const large = await fill(admin, await openStore(world), many);
    const small = await fill(admin, await openStore(world, 'neighbour@example.com'), few);
    for (const table of ['product', 'variant', 'price', 'publication', 'product_term'])
      await admin.query(statement(`vacuum analyze catalogue.${table}`));
    const spent = await spender(admin);
    const figures: Record<string, Spent[]> = {};
    const told = async (key: string, what: Promise<Spent>): Promise<number> => {
      const found = await what;
      (figures[key] ??= []).push(found);
      return sumOf(found);
    };
    const asking =
      (name: string, { key }: Shelf, query: string) =>
      async () =>
        told(
          name,
          spent(world.server.child.pid ?? 0, reads, async () => list(world, key, query)),
        );
    const byHand = (name: string, statements: readonly Statement[]) => async () =>
      told(
        name,
        spent(process.pid, reads, async () => JSON.stringify(await admin.readAll(statements))),
      );
    const filtered = `tag=${tag}`;
    const counted = `${filtered}&${facets.map((name) => `facets=${name}`).join('&')}`;
    const contestants = {
      plain: asking('plain', large, ''),
      plainOfFew: asking('plainOfFew', small, ''),
      filter: asking('filter', large, filtered),
      filterOfFew: asking('filterOfFew', small, filtered),
      filterByHand: byHand('filterByHand', await statementsOf(large, false)),
      facets: asking('facets', large, counted),
      facetsByHand: byHand('facetsByHand', await statementsOf(large, true)),
    };
    for (const query of [filtered, counted])
      for (const { key } of [large, small]) {
        const found = (await list(world, key, query)).items.length;
        if (found !== limit) throw new Error(`a page of ${query} has ${found} products`);
      }
    for (const contestant of Object.values(contestants)) await contestant();
    for (const key of Object.keys(figures)) figures[key] = [];
    const measured = await interleave(rounds, contestants);
    const apart = (key: keyof typeof contestants): string => {
      const found = figures[key] ?? [];
      const mean = (side: keyof Spent): string =>
        (found.reduce((sum, one) => sum + one[side], 0) / found.length).toFixed(2);
      return `${mean('server')} + ${mean('database')} ms`;
    };
    type Name = keyof typeof contestants;
    const row = (name: string, of: Name, against: Name, bar: Row['bar'] & object): Row => ({
      name,
      ratio: 'atLeast' in bar ? measured[against] / measured[of] : measured[of] / measured[against],
      bar,
      detail: `server + database: ${apart(of)} against ${apart(against)}`,
    });
    return [
      row(`${limit} of ${many} products by a tag against the same SQL`, 'filter', 'filterByHand', { atLeast: 0.6 }),
      row('the same with two facets against the same SQL', 'facets', 'facetsByHand', { atLeast: 0.6 }),
      row(`${limit} of ${many} products against ${limit} of ${few}`, 'plain', 'plainOfFew', { atMost: 1.25 }),
      row(`${limit} of ${many} by a tag against ${limit} of ${few}`, 'filter', 'filterOfFew', { atMost: 1.25 }),
    ];
  },
} satisfies Bench;

async function list({ server }: World, key: string, query: string): Promise<{ readonly items: readonly unknown[] }> {
  const answer = await fetch(`${server.addresses.storefront}/products?limit=${limit}&${query}`, {
    headers: { 'x-service-sdk-key': key },
  });
  if (!answer.ok) throw new Error(`${query}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { items: unknown[] };
}

/** What a page of this is read with. */
async function statementsOf({ tenant, brand }: Shelf, counting: boolean): Promise<readonly Statement[]> {
  let kept: readonly Statement[] = [];
  const readAll = async (statements: readonly Statement[]): Promise<[]> => {
    kept = statements;
    return [];
  };
  const context = { tenant, require: () => ({ readAll }) } as unknown as TenantContext;
  const sought = { limit, tag, ...(counting ? { facets } : {}) };
  await listPublished(context, brand, sought, { mediaAt: '', buyable: (variantId) => buyable(variantId, 'test') });
  return kept;
}

/** Adds products of two variants to what a shop sells, in bulk. */
async function fill(admin: SqlPool, { key, variants }: Sold, count: number): Promise<Shelf> {
  const [of] = await admin.query<{ tenant: string; brand: string }>(
    sql`select v.tenant_id as tenant, b.brand_id as brand from catalogue.variant v join catalogue.publication b using (tenant_id, product_id)
      where v.variant_id = ${variants.get('Stoneware mug')}::uuid`,
  );
  const { tenant = '', brand = '' } = of ?? {};
  // Ids that rise, as those of products do that are added one after the other.
  const id = (n: string): string => `('${newId().slice(0, 24)}' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  const terms = [
    [`'word'`, `'copy'`, 'null'],
    [`'word'`, `n::text`, 'null'],
    [`'tag'`, `case when n % 2 = 0 then '${tag}' else 'other' end`, 'null'],
    [`'tag'`, `'tag-' || n % 20`, 'null'],
    [`'vendor'`, `'vendor ' || n % 50`, 'null'],
    [`'option'`, `'colour:colour ' || n % 8`, 'array[v1]'],
    [`'option'`, `'colour:colour ' || (n + 1) % 8`, 'array[v2]'],
  ].map(
    ([field, value, of]) =>
      `insert into catalogue.product_term (tenant_id, field, value, product_id, variant_ids) select tenant, ${field}, ${value}, p, ${of}::uuid[] from copies`,
  );
  const texts = [
    `create temp table copies as select '${tenant}'::uuid as tenant, n, ${id('n')} as p, ${id('n')} as v1, ${id('n')} as v2 from generate_series(1, ${count}) n`,
    `insert into catalogue.product (tenant_id, product_id, handle, title, vendor, tags, status, tax_category, options)
     select tenant, p, 'copy-' || n, 'Copy ' || n, 'Vendor ' || n % 50, array[case when n % 2 = 0 then '${tag}' else 'other' end, 'tag-' || n % 20],
       'active', 'standard', array['Colour'] from copies`,
    ...[0, 1].flatMap((at) => [
      `insert into catalogue.variant (tenant_id, variant_id, product_id, position, option_values, requires_shipping)
       select tenant, v${at + 1}, p, ${at}, array['Colour ' || (n + ${at}) % 8], true from copies`,
      `insert into catalogue.price (tenant_id, variant_id, currency, min_quantity, amount) select tenant, v${at + 1}, 'EUR', 1, 1000 + n % 100 from copies`,
    ]),
    `insert into catalogue.publication (tenant_id, brand_id, product_id) select tenant, '${brand}'::uuid, p from copies`,
    ...terms,
    'drop table copies',
  ];
  for (const text of texts) await admin.query(statement(text));
  return { key, tenant, brand };
}
