import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createWorld, type Json } from '@steward/conformance/world';
import { inTransaction, openPool, sql, type SqlPool, statement } from '@steward/sql';
import { startDns } from '@steward/testing';
import { commands, type Do } from '../binding/commands.ts';
import { openTenant } from '../binding/tenant.ts';

// Two change different members of one thing at the same time. Both changes hold.

type Change = Readonly<Record<string, unknown>>;
interface Pair {
  /** What the two change, another each time. */
  readonly of: (n: number) => readonly [Change, Change];
  /** Where what they change stands. */
  readonly table: string;
  /** In the reference of REST, where somebody who may decide changes it: what agents ask for is compared with what was approved, and refused. */
  readonly route?: string;
  /** Of the graph, which a person is let do alone what an agent proposes; its arguments are text. */
  readonly mutation?: string;
  /** Makes a thing to change, and says its id. Default: what the command is tried with elsewhere. */
  readonly made?: (act: Do, n: number) => Promise<Change>;
  /** The list whose only item is changed. */
  readonly inside?: string;
}

const day = (n: number): string => `2027-01-${String((n % 28) + 1).padStart(2, '0')}T00:00:00.000Z`;
const account = (n: number): string => (n % 2 === 0 ? '4000' : '4010');

const pairs: Readonly<Record<string, Pair>> = {
  service_change_tax_settings: {
    table: 'checkout.tax_setting',
    of: (n) => [{ country: n % 2 === 0 ? 'DE' : 'FR' }, { reverse_charge: n % 2 === 1 }],
  },
  service_configure_agentic_commerce: {
    table: 'agentic.door',
    route: '/commerce/api/brands/{brandId}/agentic-commerce',
    of: (n) => [{ refuse_unsigned: n % 2 === 1 }, { trusted_only: n % 2 === 1 }],
  },
  service_define_contact_field: {
    table: 'crm.contact_schema',
    made: async (act, n) => {
      const key = `both_${n}`;
      await act('service_define_contact_field', { key, type: 'text' });
      return { key };
    },
    of: (n) => [{ label: `Label ${n}` }, { description: `Told ${n}` }],
  },
  service_set_stock_items: {
    table: 'stock.item',
    inside: 'variants',
    of: (n) => [{ items: [{ name: `Mug ${n}` }] }, { items: [{ sku: `S${n}` }] }],
  },
  service_set_w9_status: {
    table: 'accounting.taxpayer',
    of: (n) => [
      { status: 'received', eligible: n % 2 === 0 },
      { status: 'received', box: n % 2 === 0 ? 'nec_1' : 'misc_6' },
    ],
  },
  service_update_collection: {
    table: 'catalogue.collection',
    of: (n) => [{ title: `Cups ${n}` }, { description: `All ${n}` }],
  },
  service_update_discount: { table: 'checkout.discount', of: (n) => [{ name: `Sale ${n}` }, { usage_limit: n }] },
  service_update_form: {
    table: 'studio.form',
    of: (n) => [{ name: `Form ${n}` }, { notification_emails: [`a${n}@example.com`] }],
  },
  service_update_fulfilment: {
    table: 'orders.fulfilment',
    of: (n) => [{ carrier: `DHL ${n}` }, { tracking_number: `T${n}` }],
  },
  service_update_letter_settings: {
    table: 'orders.letter_setting',
    route: '/commerce/api/brands/{brandId}/letters',
    of: (n) => [{ reply_to: `r${n}@example.com` }, { new_orders_to: n % 2 === 0 ? [] : ['owner@example.com'] }],
  },
  service_update_location: { table: 'stock.location', of: (n) => [{ name: `Place ${n}` }, { priority: n }] },
  service_update_order: { table: 'orders.sales_order', of: (n) => [{ note: `Note ${n}` }, { tags: [`t${n}`] }] },
  service_update_organization: { table: 'portal.tenant', of: (n) => [{ name: `Name ${n}` }, { persona: `p${n}` }] },
  service_update_party: { table: 'accounting.party', of: (n) => [{ name: `Party ${n}` }, { terms_days: n % 300 }] },
  service_update_seller: {
    table: 'accounting.seller',
    mutation: 'updateSeller',
    of: (n) => [{ address: `Ring ${n}` }, { registration: `Register ${n}` }],
  },
  service_update_payment_settings: {
    table: 'orders.payment_setting',
    route: '/commerce/api/payment-settings',
    of: (n) => [
      { capture_at: n % 2 === 0 ? 'placement' : 'fulfilment' },
      { manual_methods: [{ method: 'invoice', instructions: `Pay ${n}`, payWithinDays: n }] },
    ],
  },
  service_update_posting_profile: {
    table: 'bookkeeping.profile',
    route: '/commerce/api/posting-profile',
    of: (n) => [{ sales_account: account(n) }, { shipping_account: account(n + 1) }],
  },
  service_update_price_list: { table: 'catalogue.price_list', of: (n) => [{ name: `List ${n}` }, { ends_at: day(n) }] },
  service_update_product_media: {
    table: 'catalogue.product',
    of: (n) => [{ alt: `Cup ${n}` }, { variant_ids: [] }],
    inside: 'media',
  },
  service_update_products: {
    table: 'catalogue.product',
    of: (n) => [{ title: `Cup ${n}` }, { vendor: `Maker ${n}` }],
    inside: 'products',
  },
  service_update_shipping_option: {
    table: 'checkout.shipping_option',
    of: (n) => [{ name: `Post ${n}` }, { position: n }],
  },
  service_update_shipping_zone: {
    table: 'checkout.shipping_zone',
    of: (n) => [{ name: `Zone ${n}` }, { places: [{ region: null, country: 'DE', postcodes: [String(10_000 + n)] }] }],
  },
  service_update_site: {
    table: 'studio.site',
    of: (n) => [{ name: `Site ${n}` }, { requests_per_minute: (n % 50) + 1 }],
  },
  service_update_tax_zone: {
    table: 'checkout.tax_zone',
    of: (n) => [{ name: `Taxes ${n}` }, { postcodes: [String(10_000 + n)] }],
  },
  service_upsert_contact: {
    table: 'crm.contact',
    made: async (act, n) => {
      const { contact } = await act('service_upsert_contact', { email: `both-${n}@example.com` });
      return { contact_id: contact?.['id'] };
    },
    of: (n) => [{ name: `Name ${n}` }, { phone: `+4144668180${n}` }],
  },
  'a brand': {
    table: 'portal.brand',
    route: '/portal/api/brands/{brandId}',
    made: async () => ({}),
    of: (n) => [{ name: `Brand ${n}` }, { links: { faq: `https://shop.example/${n}` } }],
  },
  service_update_webhook: {
    table: 'deliveries.endpoint',
    of: (n) => [{ description: `Hook ${n}` }, { per_second: (n % 50) + 1 }],
  },
};

/** What is to hold: of a list of one item, what the item says. */
const leaves = (change: Change): [string, unknown][] =>
  Object.entries(change).flatMap(([key, value]) =>
    key === 'items' ? (value as Change[]).flatMap(leaves) : [[key, value] as [string, unknown]],
  );

/** Starts two while nobody may change or lock a row of the table, and lets them go once both wait: both have read by then what they read freely. */
async function startedTogether<T>(pool: SqlPool, table: string, both: () => Promise<T>): Promise<T> {
  let done: Promise<T> | undefined;
  await inTransaction(pool, [], async (tx) => {
    await tx.query(statement(`lock table ${table} in exclusive mode`, []));
    let over = false;
    done = both().finally(() => {
      over = true;
    });
    const waiting = async (): Promise<unknown[]> =>
      pool.query(sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    for (let round = 0; (await waiting()).length < 2; round += 1) {
      assert.ok(!over && round < 400, `the two never waited for ${table}`);
      await sleep(25);
    }
  });
  return done ?? assert.fail('nothing was started');
}

/** Those that replace the whole of what they change, or change its only member; many contacts are changed as one is, each by itself. */
const whole = new Set([
  'service_update_document',
  'service_change_member_role',
  'service_edit_order',
  'service_set_agent_feed',
  'service_set_agent_webhook',
  'service_set_brand_logo',
  'service_set_channel_products',
  'service_set_channel_stock',
  'service_set_contact_country',
  'service_set_exchange_rate',
  'service_set_feed_account',
  'service_set_list_prices',
  'service_set_prices',
  'service_set_variants',
  'service_upsert_contacts',
]);

/** Routes that change the only member there is, or what a buyer has in hand. */
const single = new Set([
  '/portal/api/members/{principalType}/{principalId}',
  '/commerce/api/contact-schema',
  '/commerce/storefront/v1/carts/{cartId}/lines',
  '/commerce/storefront/v1/checkouts/{checkoutId}',
]);
const { paths } = JSON.parse(readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
  paths: Readonly<Record<string, Readonly<Record<string, { readonly 'x-tool'?: string }>>>>;
};

const camelCased = (change: Change): Change =>
  Object.fromEntries(
    Object.entries(change).map(([key, value]) => [
      key.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

/** As it is given: an account by its code, and who is told by their addresses. */
const given = (shown: unknown): unknown => {
  if (Array.isArray(shown)) return shown.map(given);
  const { code, address } = (shown ?? {}) as Change;
  return code ?? address ?? shown;
};

/** Whether a member of that name has that value somewhere in it. */
const says = (answer: unknown, [name, value]: [string, unknown]): boolean =>
  typeof answer === 'object' &&
  answer !== null &&
  Object.entries(answer).some(
    ([key, own]) => (key === name && isDeepStrictEqual(given(own), value)) || says(own, [name, value]),
  );

test('what two change at once of one thing holds, both of it', async () => {
  await using dns = await startDns();
  await using world = await createWorld({ BRAND_HOST_DNS: dns.address });
  await using look = openPool({ url: world.db.adminUrl, size: 3 });
  const { tenant, offered, call, act, things } = await openTenant(world, dns);
  const approver = await world.token({ user: 'owner@example.com', approver: true });
  const changing = [...offered.keys()].filter(
    (name) => /^service_(?:update|configure|change|set|define|upsert|edit)_/.test(name) && !whole.has(name),
  );
  for (const name of changing) assert.ok(Object.hasOwn(pairs, name), `${name} is tried`);
  const routes = new Set(Object.values(pairs).map(({ route }) => route));
  for (const [path, { patch }] of Object.entries(paths))
    if (patch !== undefined && !single.has(path))
      assert.ok(routes.has(path) || Object.hasOwn(pairs, patch['x-tool'] ?? ''), `PATCH ${path} is tried`);
  const made = await things();
  const lost: string[] = [];
  for (const [name, { of, table, route, mutation, made: make, inside }] of Object.entries(pairs)) {
    const example =
      make === undefined ? await (commands[name] ?? assert.fail(name))(act, made) : await make(act, made.next());
    const item = (inside === undefined ? example : (example[inside] as Change[])[0]) as Change;
    const ids = Object.fromEntries(Object.entries(item).filter(([key]) => /_id$|^(?:protocol|key)$/.test(key)));
    const changeTo = async (change: Change): Promise<Json> => {
      if (mutation !== undefined) {
        const names = Object.keys(change);
        const query = `mutation (${names.map((one) => `$${one}: String`).join()}) { ${mutation}(${names.map((one) => `${one}: $${one}`).join()}) { address registration } }`;
        const body = { query, variables: change };
        return (await world.call(`${world.server.addresses.accounting}/graphql`, { token: approver, tenant, body }))
          .body;
      }
      if (route === undefined)
        return call(name, inside === undefined ? { ...ids, ...change } : { [inside]: [{ ...ids, ...change }] });
      const [, component = '', ...path] = route.replace('{brandId}', made.brand).split('/');
      const url = [world.server.addresses[component as 'commerce' | 'portal'], ...path].join('/');
      const { brand_id: _inRoute, ...body } = { ...ids, ...change } as Change;
      return (await world.call(url, { token: approver, tenant, method: 'PATCH', body: camelCased(body) })).body;
    };
    for (let round = 1; round <= 2; round += 1) {
      const [one, other] = of(round);
      const answers = await startedTogether(look, table, async () => Promise.all([one, other].map(changeTo)));
      const entries = [one, other].flatMap((change) => leaves(route === undefined ? change : camelCased(change)));
      if (answers.some((answer) => entries.every((entry) => says(answer, entry)))) continue;
      lost.push(`${name}: ${JSON.stringify(answers)}`);
      break;
    }
  }
  assert.deepEqual(lost, []);
  const { code, out } = await world.command(['audit', 'verify']);
  assert.equal(code, 0, out);
});
