import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, statement } from '@steward/sql';
import { createWorld, type World } from './fixtures/world.ts';

// Whoever has the database in hand writes what they like; what no reader could read is not even taken.

const amountless = [undefined, null, 12, '', '-1', '1.5', 'x', '1'.repeat(20), ['1'], {}];
const broken = (whole: Readonly<Record<string, unknown>>, names: readonly string[], values: readonly unknown[]) =>
  names.flatMap((name) => values.map((value) => ({ ...whole, [name]: value })));
const each = (all: readonly unknown[]) => all.map((one) => [one]);

const line = {
  id: newId(),
  productId: newId(),
  variantId: newId(),
  handle: 'cup',
  title: 'Cup',
  options: { Size: 'M' },
  sku: null,
  image: null,
  quantity: 1,
  price: '1000',
};
const lines = [
  {},
  'x',
  [null],
  ...each(broken(line, ['price'], amountless)),
  ...each(broken(line, ['quantity'], [undefined, null, '1', 0, -1])),
  ...each(broken(line, ['id', 'title', 'variantId', 'handle'], [undefined, null, 1, {}])),
  ...each(broken(line, ['options'], [undefined, null, [], 'x', { Size: 1 }, { Size: null }])),
];
const address = { line1: 'Weg 1', city: 'Berlin', country: 'DE', name: null, postcode: '10115' };
const addresses = [
  [],
  'Weg 1',
  {},
  ...broken(address, ['line1', 'city', 'country'], [undefined, null, 1, {}]),
  { ...address, name: ['Ann'] },
  { ...address, phone: { toString: 1 } },
];
const rate = { category: 'standard', taxId: null, percentage: '19' };
const place = { country: 'DE', region: null, postcodes: ['10115'] };
const bracket = { from: '0', to: null, amount: '490' };
const money = [
  [],
  'x',
  { EUR: 1 },
  { EUR: null },
  { EUR: '1.5' },
  { EUR: '' },
  { EUR: ['1'] },
  { euro: '1' },
  { '': '1' },
];
const figures = { lines: [], messages: [], total: { amount: '0.00', currency: 'EUR' } };
const placing = { checkoutId: newId(), lines: [], discounts: [], taxes: [], buyer: {}, total: { $n: '1' } };

const wrong: readonly (readonly [table: string, column: string, values: readonly unknown[]])[] = [
  [
    'tax_zone',
    'rates',
    [
      {},
      [1],
      ...each(broken(rate, ['percentage'], [undefined, null, 19, '', '-1', 'x', '1,5'])),
      ...each(broken(rate, ['category', 'taxId'], [undefined, 1, {}, []])),
    ],
  ],
  [
    'shipping_zone',
    'places',
    [
      {},
      ['DE'],
      ...each(broken(place, ['country', 'postcodes'], [undefined, null, 1, {}])),
      [{ ...place, postcodes: [1] }],
      [{ ...place, region: 1 }],
    ],
  ],
  [
    'shipping_option',
    'brackets',
    [
      {},
      [0],
      ...each(broken(bracket, ['from', 'amount'], amountless)),
      ...each(broken(bracket, ['to'], [undefined, 1, '', 'x', {}])),
    ],
  ],
  ['discount', 'amounts', money],
  ['discount', 'minimum_amounts', money],
  ['cart', 'lines', lines],
  ['session', 'lines', lines],
  ['session', 'shipping_address', addresses],
  ['session', 'billing_address', addresses],
  [
    'session',
    'payment',
    [[], 'x', {}, { handler: 'manual', method: 'invoice' }, { handler: 1, method: 'invoice', status: 'awaiting' }],
  ],
  ['session', 'figures', [[], 'x', {}, ...broken(figures, ['lines', 'messages', 'total'], [undefined, null, 1, {}])]],
  [
    'session',
    'agreed',
    [
      [],
      {},
      ...broken(placing, ['lines', 'buyer', 'taxes'], [undefined, null, 1]),
      { ...placing, total: { $n: 'x' } },
      { ...placing, lines: [{ net: { $n: '' } }] },
    ],
  ],
];

describe('the tables of checkouts', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('take no JSON that readers cannot read, whoever writes it', async () => {
    const { tenant } = await world.tenant();
    const { admin } = world;
    const zone = newId();
    await admin.query(sql`
      insert into checkout.tax_zone (tenant_id, tax_zone_id, name, country, rates)
      values (${tenant}::uuid, ${newId()}::uuid, 'Germany', 'DE', ${JSON.stringify([rate, { ...rate, category: 'reduced', taxId: newId(), percentage: '7.25' }])}::jsonb)`);
    await admin.query(sql`
      insert into checkout.shipping_zone (tenant_id, shipping_zone_id, name, places, countries)
      values (${tenant}::uuid, ${zone}::uuid, 'Germany', ${JSON.stringify([place, { ...place, region: 'BE', postcodes: [] }])}::jsonb, array['DE'])`);
    await admin.query(sql`
      insert into checkout.shipping_option (tenant_id, shipping_option_id, shipping_zone_id, name, kind, currency, brackets, tax_category)
      values (${tenant}::uuid, ${newId()}::uuid, ${zone}::uuid, 'Parcel', 'by_weight', 'EUR',
        ${JSON.stringify([
          { from: '0', to: '1000', amount: '490' },
          { from: '1000', to: null, amount: '990' },
        ])}::jsonb, 'standard')`);
    await admin.query(sql`
      insert into checkout.discount (tenant_id, discount_id, name, kind, applies_to, amounts, minimum_amounts)
      values (${tenant}::uuid, ${newId()}::uuid, 'Five', 'fixed_amount', 'order', ${JSON.stringify({ EUR: '500', JPY: '700' })}::jsonb,
        ${JSON.stringify({ EUR: '1000' })}::jsonb)`);
    const token = Buffer.alloc(32, 1);
    await admin.query(sql`
      insert into checkout.cart (tenant_id, cart_id, brand_id, mode, token_sha256, status, currency, lines, codes, expires_at)
      values (${tenant}::uuid, ${newId()}::uuid, ${newId()}::uuid, 'live', ${token}::bytea, 'open', 'EUR', ${JSON.stringify([line])}::jsonb, '{}', now())`);
    await admin.query(sql`
      insert into checkout.session (tenant_id, checkout_id, brand_id, mode, token_sha256, status, currency, lines, codes, figures, total, units,
        expires_at, shipping_address, payment, agreed)
      values (${tenant}::uuid, ${newId()}::uuid, ${newId()}::uuid, 'live', ${token}::bytea, 'completing', 'EUR', ${JSON.stringify([line])}::jsonb, '{}',
        ${JSON.stringify(figures)}, 0, 1, now(), ${JSON.stringify(address)}::jsonb,
        ${JSON.stringify({ handler: 'manual', method: 'invoice', status: 'awaiting' })}::jsonb, ${JSON.stringify(placing)}::jsonb)`);
    for (const [table, column, values] of wrong)
      for (const value of values)
        await assert.rejects(
          admin.query(
            statement(
              `update checkout.${table} set ${column} = $2${column === 'figures' ? '' : '::jsonb'} where tenant_id = $1::uuid`,
              [tenant, JSON.stringify(value)],
            ),
          ),
          // A check of the table, or text that is no JSON.
          ({ code }: { code?: string }) => code === '23514' || code === '22P02',
          `${table}.${column} took ${JSON.stringify(value)}`,
        );
  });
});
