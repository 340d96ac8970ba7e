import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { components } from '@steward/server/components';
import { migrationSources } from '@steward/server/migrations';
import { openPool, sql, type SqlPool } from '@steward/sql';
import { createTestDatabase, type TestDatabase } from '@steward/testing';

/** Columns that approvers see as they are stored, and what they hold instead of amounts in minor units. */
const others: Readonly<Record<string, string>> = {
  'accounting.document.number': 'a number',
  'accounting.document.rate': 'a rate',
  'accounting.document_line.percentage': 'a percentage',
  'accounting.document_line.quantity': 'a quantity',
  'accounting.document_line.unit_price': 'stored as a decimal',
  'accounting.entry.number': 'a number',
  'accounting.entry.rate': 'a rate',
  'accounting.payment.number': 'a number',
  'accounting.payment.rate': 'a rate',
  'accounting.posting.number': 'a number',
  'accounting.tax.percentage': 'a percentage',
  'agentic.signing_key.jwk': 'a key',
  'bookkeeping.profile.clearing_accounts': 'accounts by handler',
  'callbacks.connection.settings': 'words and addresses',
  'callbacks.delivery.headers': 'hidden',
  'catalogue.product.custom': 'what the merchant calls its own',
  'checkout.discount.percentage': 'a percentage',
  'checkout.session.agreed': 'what becomes an order, whose figures are shown of it; no command is about a checkout',
  'checkout.session.billing_address': 'an address',
  'checkout.session.door_state': 'what an agent sent',
  'checkout.session.payment': 'a handler, a method and a state',
  'checkout.session.shipping_address': 'an address',
  'checkout.session.units': 'a quantity',
  'checkout.shipping_zone.places': 'places',
  'checkout.tax_zone.rates': 'percentages',
  'crm.contact.custom': 'what the merchant calls its own',
  'crm.contact.discarded': 'words',
  'crm.contact.marketing_consent': 'words and moments',
  'crm.contact.source': 'words',
  'deliveries.endpoint.begins_after': 'a position',
  'marketplace.channel.shop_locations': 'places',
  'orders.letter_setting.new_orders_to': 'addresses',
  'orders.line.image': 'an address',
  'orders.line.options': 'words',
  'orders.line.percentage': 'a percentage',
  'orders.payment.action': 'an address',
  'orders.payment_setting.manual_methods': 'words',
  'orders.sales_order.billing_address': 'an address',
  'orders.sales_order.number': 'a number',
  'orders.sales_order.shipping_address': 'an address',
  'orders.sales_order.units': 'a quantity',
  'orders.sales_order.units_fulfilled': 'a quantity',
  'orders.sales_order.units_returned': 'a quantity',
  'orders.sales_order.units_unsent': 'a quantity',
  'portal.brand.links': 'addresses',
  'stock.location.postal_address': 'an address',
};

let db: TestDatabase;
let admin: SqlPool;
before(async () => {
  db = await createTestDatabase(migrationSources);
  admin = openPool({ url: db.adminUrl, size: 1 });
});
after(async () => {
  await admin.close();
  await db[Symbol.asyncDispose]();
});

test('what people approve shows no amount in minor units: each number and each object of each row is money or no amount', async () => {
  const columns = await admin.query<{ at: string; name: string }>(sql`
    select n.nspname || '.' || c.relname as at, a.attname::text as name from pg_attribute a
    join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relkind in ('r', 'p')
      and a.atttypid in ('bigint'::regtype, 'numeric'::regtype, 'jsonb'::regtype)`);
  const found = new Set<string>();
  for (const { table, parts = {}, money = {} } of components.flatMap(({ nouns = [] }) => nouns)) {
    const priced = Object.keys(money);
    const shown = [['', table] as const, ...Object.entries(parts).map(([part, of]) => [`${part}.`, of.table] as const)];
    for (const [prefix, at] of shown)
      for (const { name } of columns.filter((one) => one.at === at))
        if (!priced.some((place) => `${place}.`.startsWith(`${prefix}${name}.`))) found.add(`${at}.${name}`);
  }
  assert.deepEqual([...found].toSorted(), Object.keys(others).toSorted());
});
