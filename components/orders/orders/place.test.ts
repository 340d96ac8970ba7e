import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, statement, type TenantContext } from '@steward/sql';
import { address, available, createWorld, placing, selling, type World } from '../fixtures/world.ts';
import { placeOrder } from './place.ts';

let world: World;
before(async () => {
  world = await createWorld(24);
});
after(async () => world[Symbol.asyncDispose]());

const contactsOf = async ({ tenant }: TenantContext) =>
  world.admin.query(
    sql`select contact_id, email, name, phone, test from crm.contact where tenant_id = ${tenant}::uuid order by email`,
  );

describe('an order', () => {
  test('keeps what was bought, takes the stock of its checkout, finds its contact and is told', async () => {
    const context = await world.tenant();
    const variantId = await world.stocked(context, 5);
    const given = placing([{ variantId, quantity: 2 }, { unitPrice: 500n }], {
      shipping: {
        optionId: newId(),
        name: 'Post',
        kind: 'flat',
        locationId: null,
        gross: 490n,
        discounts: [],
        net: 412n,
        tax: 78n,
        total: 490n,
        taxed: { treatment: 'taxed', taxId: null, percentage: 190_000n },
      },
      note: 'Ring twice',
    });
    const made = await world.place(context, given);
    assert.equal(made.number, '1001');
    assert.deepEqual(
      [made.status, made.paymentStatus, made.fulfilmentStatus, made.total, made.subtotal, made.units],
      ['open', 'pending', 'unfulfilled', { amount: '49.88', currency: 'EUR' }, { amount: '44.98', currency: 'EUR' }, 3],
    );
    assert.deepEqual(
      made.lines.map(({ title, quantity, total, taxPercentage, options }) => [
        title,
        quantity,
        total.amount,
        taxPercentage,
        options,
      ]),
      [
        ['Shirt 1', 2, '39.98', '19', { Size: 'M' }],
        ['Shirt 2', 1, '5.00', '19', { Size: 'M' }],
      ],
    );
    assert.equal(made.shipping?.total.amount, '4.90');
    assert.deepEqual(made.shippingAddress, address);
    assert.deepEqual((await available(context, [variantId]))[0]?.available, 3);
    const reserved = await world.admin.query(
      sql`select holder_id, quantity::int as quantity, expires_at from stock.reservation where tenant_id = ${context.tenant}::uuid`,
    );
    assert.deepEqual(reserved, [{ holder_id: made.id, quantity: 2, expires_at: null }]);
    const [contact] = await contactsOf(context);
    assert.deepEqual([contact?.['contact_id'], contact?.['email']], [made.contactId, 'ann@example.com']);
    const timeline = await world.admin.query(
      sql`select kind, refs from crm.timeline_entry where tenant_id = ${context.tenant}::uuid`,
    );
    assert.deepEqual(timeline, [{ kind: 'order.placed', refs: { order_id: made.id } }]);
    const told = (await world.events(context)).filter(({ type }) => type === 'commerce.order.placed');
    assert.deepEqual(
      told.map(({ order_id, number, total, units, mode }) => [order_id, number, total, units, mode]),
      [[made.id, 1001, '49.88', 3, 'live']],
    );
    assert.ok(!JSON.stringify(told).includes('Ann') && !JSON.stringify(told).includes('Torstr'));
    const published = await world.admin.query<{ data: string }>(
      sql`select data from bus.outbox where tenant_id = ${context.tenant}::uuid and type = 'commerce.order.placed'`,
    );
    assert.deepEqual(
      published.map(({ data }) => JSON.parse(data)),
      [{ orderId: made.id, mode: 'live' }],
    );
    assert.deepEqual(await world.told(), []);
  });

  test('of a test key has numbers of its own and is of a test contact', async () => {
    const context = await world.tenant();
    const numbers: string[] = [];
    for (const mode of ['test', 'live', 'test', 'live'] as const) {
      const buyer = { ...placing().buyer, email: `${mode}@example.com` };
      numbers.push((await world.place(context, placing([{}], { mode, buyer }))).number);
    }
    assert.deepEqual(numbers, ['TEST-1001', '1001', 'TEST-1002', '1002']);
    assert.deepEqual(
      (await contactsOf(context)).map(({ email, test: of }) => [email, of]),
      [
        ['live@example.com', false],
        ['test@example.com', true],
      ],
    );
    assert.deepEqual(await world.told(), []);
  });

  test('is not refused for a value that the CRM does not take', async () => {
    const context = await world.tenant();
    const made = await world.place(
      context,
      placing([{}], { buyer: { ...placing().buyer, phone: 'call me', name: 'x'.repeat(5000) } }),
    );
    assert.equal(made.phone, 'call me');
    const contacts = await contactsOf(context);
    assert.deepEqual(contacts, [
      { contact_id: made.contactId, email: 'ann@example.com', name: null, phone: null, test: false },
    ]);
    const nobody = await world.place(
      context,
      placing([{}], { buyer: { ...placing().buyer, email: 'nonsense', name: null } }),
    );
    assert.equal(nobody.contactId, null);
    // A phone that is somebody else's stays theirs.
    const phone = '+4930123456';
    await world.place(context, placing([{}], { buyer: { ...placing().buyer, email: 'bea@example.com', phone } }));
    const cleo = await world.place(
      context,
      placing([{}], { buyer: { ...placing().buyer, email: 'cleo@example.com', phone } }),
    );
    assert.equal(cleo.phone, phone);
    assert.deepEqual(await world.told(), []);
  });

  test('is placed once of a checkout, however many place it at once', async () => {
    const context = await world.tenant();
    const variantId = await world.stocked(context, 5);
    const given = placing([{ variantId }]);
    const made = await Promise.all(Array.from({ length: 12 }, async () => world.place(context, given)));
    assert.equal(new Set(made.map(({ id }) => id)).size, 1);
    assert.deepEqual((await world.place(context, given)).id, made[0]?.id);
    assert.equal((await world.events(context)).filter(({ type }) => type === 'commerce.order.placed').length, 1);
    assert.equal((await world.place(context, placing())).number, '1002');
    assert.deepEqual(await world.told(), []);
  });

  test('has the next number, though others are placed at the same time and some of them fail', async () => {
    const context = await world.tenant();
    const made = await Promise.allSettled(
      Array.from({ length: 40 }, async (_one, index) =>
        selling(context, async (tx) => {
          const one = await placeOrder(tx, placing(), world.ports);
          if (index % 4 === 0) throw new Error('the payment failed');
          return Number(one.number);
        }),
      ),
    );
    const numbers = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])).toSorted((a, b) => a - b);
    assert.deepEqual(
      numbers,
      Array.from({ length: 30 }, (_one, index) => 1001 + index),
    );
    assert.deepEqual(await world.told(), []);
  });

  test('keeps amounts as large as money may be', async () => {
    const context = await world.tenant();
    const made = await world.place(context, placing([{ unitPrice: 9_007_199_254_740_993n }]));
    assert.equal(made.lines[0]?.total.amount, '90071992547409.93');
    assert.equal(made.taxes[0]?.net.amount, made.net.amount);
    assert.deepEqual(await world.told(), []);
  });

  test('is held to the log, figure by figure and word by word', async () => {
    const context = await world.tenant();
    await world.place(context, placing());
    const changes = [
      `update orders.sales_order set total = total + 1, net = net + 1`,
      `update orders.sales_order set discounts = '[{"discountId": "${newId()}", "name": "Spring", "amount": "1"}]'`,
      `update orders.sales_order set shipping_address = null`,
      `update orders.sales_order set email = 'eve@example.com'`,
      `update orders.sales_order set number = number + 1`,
      `update orders.sales_order set placed_at = placed_at - interval '1 day'`,
      `update orders.line set title = 'Gold bar'`,
      `update orders.line set quantity = quantity + 1`,
      `update orders.counter set next = next + 1`,
    ];
    for (const change of changes)
      assert.notDeepEqual(await world.told(`${change} where tenant_id = '${context.tenant}'`), [], change);
  });

  test('cannot be changed by the application', async () => {
    const context = await world.tenant();
    await world.place(context, placing());
    for (const statement of [
      sql`update orders.sales_order set total = 0`,
      sql`update orders.sales_order set email = null`,
      sql`update orders.line set unit_price = 0`,
      sql`delete from orders.sales_order`,
      sql`delete from orders.line`,
    ])
      await assert.rejects(
        selling(context, async (tx) => tx.query(statement)),
        /permission denied/,
      );
  });

  test('is kept whole: nothing in its JSON can be written that its readers cannot read', async () => {
    const context = await world.tenant();
    const variantId = await world.stocked(context, 5);
    const discount = { discountId: newId(), amount: '100' };
    const charge = { gross: '490', net: '412', tax: '78', total: '490', percentage: '190000' };
    const shipping = {
      optionId: newId(),
      name: 'Post',
      kind: 'flat',
      locationId: null,
      treatment: 'taxed',
      taxId: null,
    };
    const { id: orderId } = await world.place(context, placing([{ variantId, quantity: 1 }]));
    const write = async (table: string, column: string, value: unknown) =>
      world.admin.query(
        statement(
          `update orders.${table} set ${column} = $3::jsonb where tenant_id = $1::uuid and order_id = $2::uuid`,
          [context.tenant, orderId, JSON.stringify(value)],
        ),
      );
    const notAmounts = [undefined, null, 12, '', '-1', '1.5', 'x', '1'.repeat(20), ['1'], {}];
    const broken = (whole: Readonly<Record<string, unknown>>, names: readonly string[]) =>
      names.flatMap((name) => notAmounts.map((value) => ({ ...whole, [name]: value })));
    const wrong: readonly (readonly [table: string, column: string, values: readonly unknown[]])[] = [
      [
        'sales_order',
        'discounts',
        [{}, [1], ...broken({ ...discount, name: 'Spring', code: null }, ['amount']).map((one) => [one])],
      ],
      ['sales_order', 'taxes', [{}, ['x'], ...broken(charge, ['net', 'tax', 'percentage']).map((one) => [one])]],
      [
        'sales_order',
        'shipping',
        [
          [],
          'free',
          ...broken({ ...shipping, ...charge, discounts: [] }, [...Object.keys(charge), 'discounts']),
          ...broken(discount, ['amount']).map((one) => ({ ...shipping, ...charge, discounts: [one] })),
        ],
      ],
      ['sales_order', 'shipping_address', [[], 'Main Street', { ...address, line1: { toString: 1 } }]],
      ['sales_order', 'billing_address', [[], 7, { ...address, name: ['Ada'] }]],
      ['line', 'discounts', [{}, [null], ...broken(discount, ['amount']).map((one) => [one])]],
      ['line', 'options', [[], { Size: 1 }, { Size: null }]],
      [
        'line',
        'image',
        [[], 'x', { url: 1, alt: '', width: 1, height: 1 }, { url: '/a', alt: '', width: '1', height: 1 }],
      ],
    ];
    for (const [table, column, values] of wrong)
      for (const value of values)
        await assert.rejects(
          write(table, column, value),
          // A check of the table, or a column that is counted from it.
          ({ code }: { code?: string }) => code === '23514' || code === '22P02' || code === '22003',
          `${table}.${column} takes ${JSON.stringify(value)}`,
        );
    await write('sales_order', 'discounts', [{ ...discount, name: 'Spring', code: null }]);
    await write('sales_order', 'shipping', { ...shipping, ...charge, discounts: [discount] });
    await write('line', 'discounts', [discount]);
  });
});
