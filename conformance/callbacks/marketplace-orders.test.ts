import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { createShopify, type Shopify } from '@steward/marketplace/testing';
import { sql } from '@steward/sql';
import { createWorld, type Json, type World } from '../world/index.ts';
import { eventOf, given, list, type Opened, openShop, until } from './marketplace-shop.ts';

describe('orders of a shop at a marketplace', () => {
  const stack = new AsyncDisposableStack();
  let shopify: Shopify;
  let world: World;
  before(async () => {
    shopify = stack.use(await createShopify());
    world = stack.use(await createWorld(shopify.variables));
  });
  after(async () => stack.disposeAsync());

  const opened = async (): Promise<Opened> => openShop({ world, shopify, stack });
  const money = (amount: string) => ({ amount, currency: 'EUR' });

  test('become order, contact, invoice draft and audit chain, with one correlation', async () => {
    const own = await opened();
    const order = given('5001');
    own.shop.orders.set('5001', order);
    await own.told('orders/create', eventOf(order));
    const [placed] = await own.orders();
    assert.ok(placed !== undefined);
    assert.equal(String(placed['channel_id']), own.channelId);
    // The buyer, and the shop, know it by the shop's number.
    assert.equal(String(placed['external_name']), '#5001');
    const { orders: named } = await own.act('service_list_orders', { external_name: '#5001' });
    assert.deepEqual(
      list(named).map(({ id }) => String(id)),
      [String(placed['id'])],
    );
    const token = await world.token({ user: own.user, approver: true });
    for (const query of ['%235001', '5001']) {
      const path = `${world.server.addresses.portal}/api/search?query=${query}`;
      const { body } = await world.call(path, { token, tenant: own.tenant });
      assert.match(JSON.stringify(body), new RegExp(String(placed['id'])));
    }
    const whole = await own.order(String(placed['id']));
    assert.equal(String(whole['placed_at']), '2026-11-26T10:00:00.000Z', 'as the shop says');
    assert.deepEqual(
      [whole['total'], whole['tax'], whole['discount'], whole['payment_status'], whole['email']].map(
        (one) => one as unknown,
      ),
      [money('47.74'), money('7.62'), money('4.76'), 'paid', 'ann5001@example.com'],
    );
    const { contact } = await own.act('service_get_contact', { contact_id: String(whole['contact_id']) });
    assert.match(JSON.stringify(contact), /ann5001@example\.com/);
    let posting: Json | undefined;
    await until(async () => {
      const { postings } = await own.act('service_list_order_postings', { order_id: String(whole['id']) });
      posting = list(postings).find((one) => String(one['kind']) === 'invoice' && String(one['state']) !== 'due');
      return posting !== undefined;
    });
    assert.equal(String(posting?.['state']), 'drafted', JSON.stringify(posting));
    const { document } = await own.act('service_get_document', { document_id: String(posting?.['document_id']) });
    assert.deepEqual(document?.['total'] as unknown, money('47.74'));
    assert.equal(String(document?.['issue_date']), '2026-11-26', 'the day of the sale, not of the import');
    const [delivery] = await own.settled();
    const rows = await own.admin.query<{ type: string; correlation: string; causal: string | null; id: string }>(sql`
      select event::jsonb ->> 'type' as type, event::jsonb ->> 'correlationId' as correlation, event::jsonb ->> 'causalId' as causal,
        event::jsonb ->> 'id' as id
      from audit.event where tenant_id = ${own.tenant}::uuid and event::jsonb ->> 'correlationId' = ${String(delivery?.['delivery_id'])}
      order by sequence`);
    const types = rows.map(({ type }) => type);
    for (const type of [
      'callbacks.delivery.applied',
      'crm.contact.created',
      'commerce.order.placed',
      'commerce.order.imported',
      'commerce.payment.received',
      'accounting.document.drafted',
      'commerce.order_posting.settled',
    ])
      assert.ok(types.includes(type), `${type} is not among ${types.join(', ')}`);
    // Its product is made once: in this chain, or by the import that begins with the connection, if that comes first.
    const made = await own.admin.query<{ correlation: string; what: string }>(sql`
      select event::jsonb ->> 'correlationId' as correlation, event::jsonb -> 'payload' ->> 'product_id' as what
      from audit.event where tenant_id = ${own.tenant}::uuid and type = 'commerce.product.created'`);
    assert.equal(new Set(made.map(({ what }) => what)).size, made.length);
    assert.equal(
      types.filter((type) => type === 'commerce.product.created').length,
      made.filter(({ correlation }) => correlation === String(delivery?.['delivery_id'])).length,
    );
    assert.ok(made.length > 0);
    const ids = new Set(rows.map(({ id }) => id));
    assert.deepEqual(
      rows.slice(1).filter(({ causal }) => causal === null || !ids.has(causal)),
      [],
      'each has its cause in the same chain',
    );
  });

  test('were placed when the shop says, but not in the future, nor before there were clocks', async () => {
    const own = await opened();
    const times = { 5101: '0001-01-01T00:00:00Z', 5102: '9999-12-31T23:59:59Z', 5103: '2025-02-03T04:05:06Z' };
    for (const [id, createdAt] of Object.entries(times)) {
      own.shop.orders.set(id, given(id, { createdAt }));
      await own.told('orders/create', eventOf(given(id)));
    }
    const placedAt = new Map(
      (await own.orders()).map((one) => [String(one['external_name']), String(one['placed_at'])]),
    );
    assert.equal(placedAt.get('#5101'), '1970-01-01T00:00:00.000Z');
    assert.equal(placedAt.get('#5103'), '2025-02-03T04:05:06.000Z');
    assert.ok(Math.abs(Date.parse(placedAt.get('#5102') ?? '') - Date.now()) < 600_000);
    const { orders: found } = await own.act('service_list_orders', { placed_before: '2025-02-04T00:00:00Z' });
    assert.deepEqual(
      list(found).map((one) => String(one['external_name'])),
      ['#5103', '#5101'],
    );
    const verified = await world.command(['audit', 'verify', '--tenant', own.tenant]);
    assert.equal(verified.code, 0, verified.out);
    await own.admin.query(sql`
      update orders.sales_order set placed_at = placed_at - interval '1 day' where tenant_id = ${own.tenant}::uuid and external_name = '#5103'`);
    const moved = await world.command(['audit', 'verify', '--tenant', own.tenant]);
    assert.equal(moved.code, 1);
    assert.match(moved.out, /time of order/);
  });

  test('are one each, however often and in whichever order they are told, and follow the shop', async () => {
    const own = await opened();
    const order = given('5002');
    own.shop.orders.set('5002', order);
    const created = eventOf(order);
    order.fulfilments.push({ id: '61', at: '2026-11-26T11:00:00Z', lines: [{ line: '50021', quantity: 2 }] });
    order.refunds.push({
      id: '81',
      at: '2026-11-26T12:00:00Z',
      total: '21.42',
      lines: [{ line: '50021', quantity: 1 }],
    });
    order.updatedAt = '2026-11-26T12:00:00Z';
    const same = { id: randomUUID(), event: randomUUID() };
    const answers = await Promise.all([
      own.tell('refunds/create', { id: 81, order_id: 5002 }),
      own.tell('orders/updated', eventOf(order)),
      own.tell('orders/create', created, same),
      own.tell('orders/create', created, same),
      own.tell('orders/create', created, { event: same.event }),
      own.tell('orders/updated', eventOf(order)),
    ]);
    assert.deepEqual([...new Set(answers)], [200]);
    await own.settled();
    const orders = await own.orders();
    assert.equal(orders.length, 1);
    const whole = await own.order(String(orders[0]?.['id']));
    assert.deepEqual(
      [whole['payment_status'], whole['fulfilment_status'], whole['refunded']].map((one) => one as unknown),
      ['partially_refunded', 'fulfilled', money('21.42')],
    );
    assert.equal(list(whole['fulfilments']).length, 1);
    order.updatedAt = '2026-11-26T09:00:00Z';
    order.received = '0.00';
    await own.told('orders/updated', eventOf(order));
    assert.deepEqual(
      (await own.order(String(whole['id'])))['captured'] as unknown,
      money('47.74'),
      'what is older changes nothing',
    );
    const member = await own.call('service_refund_order', {
      order_id: String(whole['id']),
      adjustment: money('1.00'),
      reason: 'goodwill',
    });
    assert.match(JSON.stringify(member), /refund_exceeds_captured/, 'what the marketplace took is given back there');
  });

  test('change nothing where they are forged, replayed with another body, or of a shop that is connected nowhere', async () => {
    const own = await opened();
    const order = given('5003');
    own.shop.orders.set('5003', order);
    const event = eventOf(order);
    assert.equal(await own.tell('orders/create', event, { secret: 'other' }), 401);
    const id = randomUUID();
    assert.equal(await own.tell('orders/create', event, { id }), 200);
    await own.settled();
    const other = given('5004');
    own.shop.orders.set('5004', other);
    assert.equal(await own.tell('orders/create', eventOf(other), { id }), 200);
    const rows = await own.settled();
    assert.deepEqual(rows.map(({ status }) => status).toSorted(), ['applied', 'conflicting']);
    assert.equal((await own.orders()).length, 1);
    const [told] = await own.admin.query(sql`
      select from audit.event where tenant_id = ${own.tenant}::uuid and event::jsonb ->> 'type' = 'callbacks.delivery.conflicted'`);
    assert.ok(told !== undefined);
    await own.told('app/uninstalled', { id: 1, myshopify_domain: own.shop.name });
    const [channel] = list((await own.act('service_list_channels', {}))['items']);
    assert.equal(String(channel?.['status']), 'disconnected');
    const [row] = await own.admin.query<{ token: string | null }>(
      sql`select token from marketplace.channel where tenant_id = ${own.tenant}::uuid`,
    );
    assert.equal(row?.token, null, 'the token is erased');
    assert.equal(await own.tell('orders/create', eventOf(other)), 200);
    await sleep(200);
    assert.equal((await own.orders()).length, 1, 'nobody’s from then on');
  });

  test('survive a provider that fails: 429, throttled, 500, half an answer, no answer', async () => {
    const own = await opened();
    const faults = ['limited', 'broken', 'half', 'silent', 'throttled'] as const;
    for (const [index, fault] of faults.entries()) {
      const order = given(`505${index}`);
      own.shop.orders.set(order.id, order);
      if (fault === 'throttled') own.shop.throttled = 1;
      else shopify.stub.fail(fault);
      await own.told('orders/create', eventOf(order));
      assert.equal((await own.orders()).length, index + 1, fault);
    }
  });

  test('are taken whole where this organization has less in stock, lines that the shop has no product of, and charges beside them', async () => {
    const own = await opened();
    const order = given('5006', {
      total: '70.74',
      received: '0.0',
      lines: [...given('5006').lines, { id: '50062', variant: null, title: 'Engraving', quantity: 1, price: '20.00' }],
    });
    own.shop.orders.set('5006', order);
    await own.told('orders/create', eventOf(order));
    const [placed] = await own.orders();
    const whole = await own.order(String(placed?.['id']));
    assert.deepEqual(
      [whole['total'], whole['payment_status'], list(whole['lines']).length].map((one) => one as unknown),
      [money('67.74'), 'pending', 2],
    );
    const [row] = await own.admin.query<{ attention: string[] }>(
      sql`select attention from marketplace.imported_order where tenant_id = ${own.tenant}::uuid`,
    );
    assert.deepEqual(row?.attention, ['total_differs']);
    const [channel] = list((await own.act('service_list_channels', {}))['items']);
    assert.deepEqual(channel?.['orders_to_look_at'] as unknown, [
      { order_id: String(whole['id']), external_name: '#5006', attention: ['total_differs'] },
    ]);
    const { products } = await own.act('service_list_products', { status: 'archived' });
    assert.match(
      JSON.stringify(products ?? {}) + JSON.stringify(await own.act('service_list_products', {})),
      /Engraving/,
    );
  });

  test('follow edits of the shop: units taken off, lines added, and money that an edit left over', async () => {
    const own = await opened();
    const order = given('5101');
    own.shop.orders.set('5101', order);
    await own.told('orders/create', eventOf(order));
    const [placed] = await own.orders();
    const id = String(placed?.['id']);
    const [line] = order.lines;
    assert.ok(line !== undefined);
    // One shirt fewer: 19.04 + 2.38 of its tax in it less; a cap more, for 10.00.
    line.removed = 1;
    order.lines.push({
      id: '51012',
      variant: '22',
      quantity: 1,
      price: '10.00',
      tax: { percentage: 19, amount: '1.60' },
    });
    order.current = '36.32';
    order.updatedAt = '2026-11-26T11:00:00Z';
    await own.told('orders/updated', eventOf(order));
    const edited = await own.order(id);
    assert.deepEqual(
      [edited['total'], edited['tax'], edited['discount'], edited['to_give_back'], edited['balance_due']].map(
        (one) => one as unknown,
      ),
      [money('36.32'), money('5.80'), money('2.38'), money('11.42'), money('0.00')],
    );
    assert.deepEqual(
      list(edited['lines']).map((one) => [String(one['sku']), Number(one['quantity'])]),
      [
        ['SH-S', 1],
        ['SH-M', 1],
      ],
    );
    await own.told('orders/updated', eventOf(order));
    const { edits } = await own.act('service_list_order_edits', { order_id: id });
    assert.equal(list(edits).length, 1, 'told again, it is the same');
    order.refunds.push({ id: '91', at: '2026-11-26T12:00:00Z', total: '11.42', lines: [] });
    order.updatedAt = '2026-11-26T12:00:00Z';
    await own.told('refunds/create', { id: 91, order_id: 5101 });
    order.fulfilments.push({
      id: '66',
      at: '2026-11-26T13:00:00Z',
      lines: [
        { line: '51011', quantity: 1 },
        { line: '51012', quantity: 1 },
      ],
    });
    order.updatedAt = '2026-11-26T13:00:00Z';
    await own.told('orders/updated', eventOf(order));
    const after = await own.order(id);
    assert.deepEqual(
      [after['payment_status'], after['fulfilment_status'], after['to_give_back']].map((one) => one as unknown),
      ['paid', 'fulfilled', money('0.00')],
    );
    let invoice: Json | undefined;
    await until(async () => {
      const { postings } = await own.act('service_list_order_postings', { order_id: id });
      const all = list(postings);
      invoice = all.find(({ kind }) => String(kind) === 'invoice');
      return all.every(({ state }) => String(state) !== 'due') && String(invoice?.['state']) === 'drafted';
    });
    const { document } = await own.act('service_get_document', { document_id: String(invoice?.['document_id']) });
    assert.deepEqual(document?.['total'] as unknown, money('36.32'), 'the draft has what was bought in the end');
    const [channel] = list((await own.act('service_list_channels', {}))['items']);
    assert.deepEqual(channel?.['orders_to_look_at'] as unknown, []);

    // What cannot be followed is listed, and what was edited before an import is as it is.
    line.quantity = 3;
    line.removed = 0;
    order.updatedAt = '2026-11-26T14:00:00Z';
    await own.told('orders/updated', eventOf(order));
    const [now] = list((await own.act('service_list_channels', {}))['items']);
    assert.deepEqual(
      list(now?.['orders_to_look_at']).map((one) => one['attention'] as unknown),
      [['lines_differ']],
    );
    assert.deepEqual((await own.order(id))['total'] as unknown, money('36.32'));
    const early = given('5102');
    const [first] = early.lines;
    assert.ok(first !== undefined);
    first.removed = 1;
    early.current = '26.32';
    early.received = '26.32';
    own.shop.orders.set('5102', early);
    await own.told('orders/create', eventOf(early));
    const [whole] = (await own.orders()).filter(({ email }) => String(email) === 'ann5102@example.com');
    assert.deepEqual(
      [whole?.['total'], whole?.['payment_status']].map((one) => one as unknown),
      [money('26.32'), 'paid'],
    );
  });

  test('are cancelled as the shop cancels them, once their money is given back', async () => {
    const own = await opened();
    const order = given('5007');
    own.shop.orders.set('5007', order);
    await own.told('orders/create', eventOf(order));
    order.cancelled = 'CUSTOMER';
    order.updatedAt = '2026-11-26T11:00:00Z';
    await own.told('orders/cancelled', eventOf(order));
    const [paid] = await own.orders();
    assert.equal(String(paid?.['status']), 'open', 'its money is still with the shop');
    order.refunds.push({
      id: '82',
      at: order.updatedAt,
      total: '47.74',
      lines: [{ line: '50071', quantity: 2 }],
      shipping: '4.90',
    });
    order.updatedAt = '2026-11-26T12:00:00Z';
    await own.told('refunds/create', { id: 82, order_id: 5007 });
    const [gone] = await own.orders();
    assert.deepEqual([String(gone?.['status']), String(gone?.['payment_status'])], ['cancelled', 'refunded']);
    const [row] = await own.admin.query<{ attention: string[] }>(
      sql`select attention from marketplace.imported_order where tenant_id = ${own.tenant}::uuid`,
    );
    assert.deepEqual(row?.attention, []);
    const [taken] = await own.admin.query<{ taken: number }>(
      sql`select count(*)::int as taken from approvals.outflow where tenant_id = ${own.tenant}::uuid`,
    );
    assert.equal(taken?.taken, 0, 'nobody here let it out');
    const verified = await world.command(['audit', 'verify', '--tenant', own.tenant]);
    assert.equal(verified.code, 0, verified.out);
  });

  test('that were cancelled here are listed while the shop has them, and so is money that it takes for them then', async () => {
    const own = await opened();
    const order = given('5009', { received: '0.00' });
    own.shop.orders.set('5009', order);
    await own.told('orders/create', eventOf(order));
    const [placed] = await own.orders();
    await own.act('service_cancel_order', { order_id: String(placed?.['id']), reason: 'customer' });
    const listed = async (updatedAt: string): Promise<unknown> => {
      order.updatedAt = updatedAt;
      await own.told('orders/updated', eventOf(order));
      const [channel] = list((await own.act('service_list_channels', {}))['items']);
      return list(channel?.['orders_to_look_at']).map(({ attention }) => attention as unknown);
    };
    assert.deepEqual(await listed('2026-11-26T11:00:00Z'), [['cancelled_here']]);
    order.received = '47.74';
    assert.deepEqual(await listed('2026-11-26T12:00:00Z'), [['not_received', 'cancelled_here']]);
  });

  test('and its products are imported once a shop is connected, with progress, through faults, and not twice', async () => {
    const own = await opened();
    const imports = async (): Promise<Record<string, string>> => {
      const [channel] = list((await own.act('service_list_channels', {}))['items']);
      return Object.fromEntries(
        list(channel?.['imports']).map((one) => [
          String(one['kind']),
          `${String(one['done'])}/${String(one['total'])} ${String(one['state'])}`,
        ]),
      );
    };
    const finished = async (): Promise<boolean> => Object.values(await imports()).every((one) => one.endsWith('done'));
    await until(finished);
    for (let n = 1; n <= 23; n += 1)
      own.shop.products.set(`1${n}`, {
        id: `1${n}`,
        title: `Product ${n}`,
        updatedAt: '2026-11-20T10:00:00Z',
        variants: [{ id: `2${n}`, price: '10.00', available: 1 }],
      });
    for (let n = 1; n <= 11; n += 1) {
      const order = given(`6${n}`, { lines: [], received: '4.90', total: '4.90' });
      own.shop.orders.set(order.id, {
        ...order,
        lines: [{ id: `6${n}1`, variant: `2${n}`, quantity: 1, price: '10.00' }],
        total: '14.90',
      });
    }
    shopify.stub.fail('limited');
    await own.act('service_import_channel', { channel_id: own.channelId });
    await until(finished);
    const whole = { webhooks: '8/8 done', products: '23/23 done', orders: '11/11 done' };
    assert.deepEqual(await imports(), whole);
    assert.equal((await own.orders()).length, 11);
    await own.act('service_import_channel', { channel_id: own.channelId });
    await until(finished);
    assert.deepEqual(await imports(), whole);
    assert.equal((await own.orders()).length, 11);
    const [counted] = await own.admin.query<{ products: number }>(
      sql`select count(*)::int as products from catalogue.product where tenant_id = ${own.tenant}::uuid`,
    );
    assert.equal(counted?.products, 23);
    assert.equal(own.shop.webhooks.length, 8, 'registered once');
    assert.ok(own.shop.webhooks.every(({ uri }) => uri === `${world.server.addresses.commerce}/webhooks/marketplace`));

    const changed = own.shop.products.get('11');
    assert.ok(changed !== undefined);
    changed.title = 'Another name';
    changed.updatedAt = '2026-11-26T10:00:00Z';
    await own.told('products/update', { id: 11 });
    own.shop.products.delete('12');
    await own.told('products/delete', { id: 12 });
    const rows = await own.admin.query<{ title: string; status: string }>(sql`
      select title, status from catalogue.product where tenant_id = ${own.tenant}::uuid and title in ('Another name', 'Product 2') order by 1`);
    assert.deepEqual(
      rows.map(({ title, status }) => [title, status]),
      [
        ['Another name', 'active'],
        ['Product 2', 'archived'],
      ],
    );
  });

  test('tell who bought, until the law has it erased: a request is listed, one buyer is erased, and a shop that left', async () => {
    const own = await opened();
    const [first, second] = [given('7001'), given('7002', { customer: { id: '72', name: 'Bob Buyer' } })];
    for (const order of [first, second]) {
      own.shop.orders.set(order.id, order);
      await own.told('orders/create', eventOf(order));
    }
    const said = { shop_id: 1, shop_domain: own.shop.name };
    const contacts = async (): Promise<string> => {
      const [row] = await own.admin.query<{ told: string }>(sql`
        select concat((select json_agg(c) from crm.contact c where c.tenant_id = ${own.tenant}::uuid),
          (select json_agg(o) from orders.sales_order o where o.tenant_id = ${own.tenant}::uuid)) as told`);
      return row?.told ?? '';
    };
    const customer = { id: 71, email: 'ann7001@example.com' };
    await own.told('customers/data_request', { ...said, customer, orders_requested: [7001], data_request: { id: 9 } });
    const asked = async (): Promise<Json[]> =>
      list(list((await own.act('service_list_channels', {}))['items'])[0]?.['data_requests']);
    const [request] = await asked();
    assert.equal(list(request?.['order_ids']).length, 1);
    const approver = await world.token({ user: own.user, approver: true });
    const answered = await world.call(
      `${world.server.addresses.commerce}/api/channels/${own.channelId}/data-requests/${String(request?.['id'])}/answered`,
      { token: approver, tenant: own.tenant, method: 'POST' },
    );
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    assert.deepEqual(await asked(), []);

    assert.equal(
      await own.tell('customers/redact', {
        ...said,
        shop_domain: 'other.myshopify.com',
        customer,
        orders_to_redact: [7001],
      }),
      400,
    );
    assert.match(await contacts(), /ann7001/);
    await own.told('customers/redact', { ...said, customer, orders_to_redact: [7001] });
    const left = await contacts();
    assert.doesNotMatch(left, /ann7001/);
    assert.match(left, /ann7002/, 'another buyer stays');
    const [bodies] = await own.admin.query<{ told: string }>(sql`
      select coalesce(string_agg(convert_from(body, 'UTF8'), ''), '') as told from callbacks.delivery where tenant_id = ${own.tenant}::uuid and not erased`);
    assert.doesNotMatch(bodies?.told ?? '', /ann7001/, 'nor is it in what the marketplace sent');

    await own.told('app/uninstalled', { id: 1, myshopify_domain: own.shop.name });
    await own.told('shop/redact', said);
    assert.doesNotMatch(await contacts(), /ann7002|Bob Buyer/);
    assert.equal((await own.orders()).length, 2, 'figures stay');
  });
});
