import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { countCheckouts, quoteEdit } from '@steward/checkout';
import type { Problem } from '@steward/kernel';
import { editOrder } from '@steward/orders';
import { sql, statement } from '@steward/sql';
import { berlin, type Checkout, invoice, opening } from '../fixtures/buying.ts';
import { type Answer, createWorld, faults, type Running, type World } from '../fixtures/world.ts';

const eur = (amount: string) => ({ amount, currency: 'EUR' });
const codes = ({ body }: Answer): unknown[] => (body['messages'] as { code: string }[]).map(({ code }) => code);

describe('a checkout', () => {
  let world: World;
  let server: Running;
  before(async () => {
    world = await createWorld();
    server = await world.start();
  });
  after(async () => world[Symbol.asyncDispose]());

  const opened = async (mode: 'live' | 'test' = 'live') => opening(world, server)(mode);

  test('shows the picture of each variant, and the order keeps it: a new picture changes no price', async () => {
    const { goods, good, ready, send } = await opened();
    const cup = await goods.variant();
    const [ofProduct, ofVariant] = await goods.pictured(cup);
    const shown = (digest: string) => ({
      url: `${server.origin}/commerce/media/${digest}`,
      alt: 'A cup',
      width: 4,
      height: 3,
    });
    const cart = await good(send('POST', '/carts', { lines: [{ variantId: cup, quantity: 1 }] }));
    assert.deepEqual(cart.lines[0]?.['image'], shown(ofVariant));
    const { id, token, lines, total } = await ready(cup);
    assert.deepEqual(lines[0]?.['image'], shown(ofVariant));
    await goods.unpictured(ofVariant);
    const done = await good(send('POST', `/checkouts/${id}/complete`, { ...invoice, total }, token));
    assert.equal(done.status, 'completed');
    await goods.unpictured(ofProduct);
    const order = await send('GET', `/orders/${done.order?.id}`, undefined, undefined, {
      'x-order-token': done.order?.token ?? '',
    });
    const [line] = order.body['lines'] as { image: unknown }[];
    assert.deepEqual(line?.image, shown(ofProduct));
    const bare = await good(send('GET', `/carts/${cart.id}`, undefined, cart.token));
    assert.equal(bare.lines[0]?.['image'], null);
  });

  test('beyond what any number holds is shown and not sold, by every door', async () => {
    const { goods, send, begun } = await opened();
    const dear: string[] = [];
    while (dear.length < 12) dear.push(await goods.variant({ cents: 999_999_999_999, stock: 1_000_000 }));
    const lines = dear.map((variantId) => ({ variantId, quantity: 999_999 }));
    const cart = await send('POST', '/carts', { lines });
    assert.deepEqual([cart.status, codes(cart)], [201, ['amount_too_large']]);
    const checkout = await begun(lines);
    const at = `/checkouts/${checkout.id}`;
    const said = await send('PATCH', at, { email: 'ann@example.com' }, checkout.token);
    assert.deepEqual([said.status, codes(said)], [200, ['amount_too_large']]);
    assert.deepEqual(said.body['total'], eur('119999879999880000.12'));
    const done = await send('POST', `${at}/complete`, invoice, checkout.token);
    assert.deepEqual([done.status, done.body['code']], [409, 'checkout_not_ready']);
  });

  test('is counted on the day on which it began, and there as completed once it is an order', async () => {
    const { tenant, goods, begun, ready, good, send } = await opened();
    const cup = await goods.variant({ cents: 1000, stock: 5 });
    const { id, token, total } = await ready(cup);
    await good(send('POST', `/checkouts/${id}/complete`, { ...invoice, total }, token));
    const left = await begun([{ variantId: cup, quantity: 1 }]);
    const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const counted = async (from: string, to: string, mode: 'live' | 'test' = 'live', of = tenant) =>
      (await countCheckouts(server.context(of), { mode, from, to })).items.map(({ begun: all, completed }) => [
        all,
        completed,
      ]);
    assert.deepEqual(await counted(day(1), day(0)), [[2, 1]]);
    await world.admin.query(
      sql`update checkout.session set created_at = created_at - interval '1 day' where checkout_id = ${left.id}::uuid`,
    );
    assert.deepEqual(await counted(day(30), day(0)), [
      [1, 0],
      [1, 1],
    ]);
    assert.deepEqual(await counted(day(1), day(1)), [[1, 0]]);
    assert.deepEqual(await counted(day(1), day(0), 'test'), []);
    const stranger = await server.tenant();
    assert.deepEqual(await counted(day(1), day(0), 'live', stranger.tenant), []);
    for (const [from, to] of [
      [day(0), day(1)],
      [day(31), day(0)],
    ] as const)
      await assert.rejects(counted(from, to), ({ code }: Problem) => code === 'invalid_request');
  });

  test('that asks for a name with the address alone makes an order and a contact of that name, of the bill first', async () => {
    const { tenant, goods, ready, good, send } = await opened();
    const cup = await goods.variant({ cents: 1000, stock: 5 });
    for (const [email, given] of Object.entries({
      'ann@example.com': {},
      'gift@example.com': { billingAddress: { ...berlin, name: 'Who pays' } },
      'said@example.com': { name: 'As said', billingAddress: { ...berlin, name: 'Who pays' } },
    })) {
      const { id, token, total } = await ready(cup, 1, { email, ...given });
      await good(send('POST', `/checkouts/${id}/complete`, { ...invoice, total }, token));
    }
    for (const table of ['orders.sales_order', 'crm.contact']) {
      const rows = await world.admin.query(
        statement(`select email, name from ${table} where tenant_id = $1::uuid order by 1`, [tenant]),
      );
      assert.deepEqual(
        rows.map(({ email, name }) => [email, name]),
        [
          ['ann@example.com', berlin.name],
          ['gift@example.com', 'Who pays'],
          ['said@example.com', 'As said'],
        ],
        table,
      );
    }
  });

  test('becomes an order that is edited with what the brand sells now, at its present price', async () => {
    const { context, tenant, goods, ready, good, send, levels } = await opened();
    const cup = await goods.variant({ cents: 1000, stock: 5 });
    await goods.discount(10, 'Ten');
    const { id, token, total } = await ready(cup, 3, { codes: ['ten'] });
    const { order } = await good(send('POST', `/checkouts/${id}/complete`, { ...invoice, total }, token));
    const orderId = order?.id ?? '';
    const plate = await goods.variant({ cents: 500, title: 'Plate' });
    await goods.reprice(plate, 700);
    await goods.reprice(cup, 9900);
    const elsewhere = await opened();
    const editing = {
      quoteEdit,
      noteOnTimeline: async () => undefined,
      mediaAt: `${server.origin}/commerce`,
    };
    const edit = async (given: object) => editOrder(context, { orderId, version: 1, ...given }, editing);
    const unsold = [
      await goods.variant({ status: 'draft' }),
      await goods.variant({ published: false }),
      await elsewhere.goods.variant(),
      randomUUID(),
    ];
    for (const variantId of unsold)
      await assert.rejects(edit({ add: [{ variantId, quantity: 1 }] }), { code: 'invalid_request' });
    const [line] = (await edit({ add: [{ variantId: plate, quantity: 2 }] })).order.lines;
    const [added] = await world.admin.query<{ unit_price: bigint; title: string; total: bigint }>(sql`
      select unit_price, title, total from orders.line where tenant_id = ${tenant}::uuid and variant_id = ${plate}::uuid`);
    assert.deepEqual([added?.title, Number(added?.unit_price), Number(added?.total)], ['Plate', 700, 1400]);
    const { order: fewer, edit: made } = await editOrder(
      context,
      { orderId, version: 2, lines: [{ lineId: line?.id ?? '', quantity: 1 }] },
      editing,
    );
    // Of the three cups at 10.00 and 10 % off, one stays at what it cost then.
    const [was] = made.lines;
    assert.deepEqual([was?.before?.total.amount, was?.after?.total.amount], ['27.00', '9.00']);
    assert.deepEqual(await levels(), ['5 - 1']);
    const seen = await send('GET', `/orders/${orderId}`, undefined, undefined, { 'x-order-token': order?.token ?? '' });
    assert.deepEqual(
      [seen.body['total'], (seen.body['lines'] as { quantity: number }[]).map(({ quantity }) => quantity)],
      [fewer.total, [1, 2]],
    );
  });

  test('as a test leaves a discount to those who pay', async () => {
    const { tenant, goods, ready, good, send, rows } = await opened('test');
    const cup = await goods.variant({ cents: 1000, stock: 5 });
    await goods.discount(10, 'Ten');
    const { id, token, total } = await ready(cup, 1, { codes: ['ten'] });
    const done = await good(send('POST', `/checkouts/${id}/complete`, { ...invoice, total }, token));
    assert.deepEqual([done.status, done['discount']], ['completed', eur('1.00')]);
    assert.equal(await rows('checkout.discount_use'), 1);
    const [counted] = await world.admin.query(
      sql`select used from checkout.discount where tenant_id = ${tenant}::uuid`,
    );
    assert.equal(counted?.['used'], 0);
  });

  test('says where goods can go, before there is an address: the zones of ways of shipping in use, or every country where one leads there', async () => {
    const { tenant, goods, option, send, good } = await opened();
    const cup = await goods.variant({ cents: 1000, stock: 5 });
    const made = await good(send('POST', '/checkouts', { lines: [{ variantId: cup, quantity: 1 }] }));
    const served = async (): Promise<unknown> =>
      (await good(send('GET', `/checkouts/${made.id}`, undefined, made.token)))['shippingCountries'];
    assert.deepEqual([made['shippingCountries'], await served()], [['DE'], ['DE']]);
    await world.admin.query(
      sql`update checkout.shipping_option set active = false where shipping_option_id = ${option}::uuid`,
    );
    assert.deepEqual(await served(), [], 'a way that is not in use leads nowhere');
    await world.admin.query(sql`
      update checkout.shipping_option set active = true, kind = 'pickup', shipping_zone_id = null, location_id = ${randomUUID()}::uuid
      where tenant_id = ${tenant}::uuid and shipping_option_id = ${option}::uuid`);
    assert.equal(await served(), null, 'a pickup is offered to every address');
  });

  test('says what shipping will cost before it is chosen, where a discount frees it', async () => {
    const { tenant, goods, option, send, good } = await opened();
    const cup = await goods.variant({ cents: 1000, stock: 5 });
    await world.admin.query(sql`
      insert into checkout.discount (tenant_id, discount_id, name, kind, minimum_amounts)
      values (${tenant}::uuid, ${randomUUID()}::uuid, 'Free shipping', 'free_shipping', '{"EUR": "2000"}')`);
    const offered = async (quantity: number) => {
      const made = await good(send('POST', '/checkouts', { lines: [{ variantId: cup, quantity }] }));
      const at = `/checkouts/${made.id}`;
      const addressed = await good(send('PATCH', at, { shippingAddress: berlin }, made.token));
      const chosen = await good(send('PATCH', at, { shippingOptionId: option }, made.token));
      const [before, after] = [addressed, chosen].map(
        (one) => (one['shippingOptions'] as { price: unknown; due: unknown }[])[0],
      );
      assert.deepEqual(before, after);
      return [before?.price, before?.due, chosen['total']];
    };
    assert.deepEqual(await offered(1), [eur('4.90'), eur('4.90'), eur('14.90')]);
    assert.deepEqual(await offered(2), [eur('4.90'), eur('0.00'), eur('20.00')]);
  });

  test('goes from a cart to an order: what is missing, what is offered, what it costs', async () => {
    const { goods, option, send, good, rows, levels } = await opened();
    const [cup, plate] = [
      await goods.variant({ cents: 1190, stock: 5 }),
      await goods.variant({ cents: 595, title: '<i>Plate</i>' }),
    ];
    await goods.discount(10, 'Ten');
    const cart = await good(
      send('POST', '/carts', {
        lines: [
          { variantId: cup, quantity: 2 },
          { variantId: plate, quantity: 1 },
        ],
        codes: ['ten'],
      }),
    );
    const first = await send('POST', '/checkouts', { cartId: cart.id }, cart.token);
    assert.equal(first.status, 201);
    const one = first.body as Checkout;
    assert.deepEqual(
      [one.status, one.missing, one['tax'], one['shippingOptions'], one['subtotal'], one['discount'], one['token']],
      ['open', ['email', 'shipping_address', 'shipping_option'], null, [], eur('29.75'), eur('2.98'), undefined],
    );
    const at = `/checkouts/${one.id}`;
    const addressed = await good(send('PATCH', at, { email: 'Ann@Example.com', shippingAddress: berlin }, cart.token));
    assert.deepEqual(
      [addressed.missing, addressed['shippingOptions'], addressed['email']],
      [
        ['shipping_option'],
        [
          {
            id: option,
            name: 'Parcel',
            kind: 'flat',
            price: eur('4.90'),
            due: eur('4.90'),
            minDays: 1,
            maxDays: 3,
            locationId: null,
          },
        ],
        'ann@example.com',
      ],
    );
    assert.deepEqual(
      (addressed['taxes'] as { percentage: string }[]).map(({ percentage }) => percentage),
      ['19'],
      'shipping that is not chosen is taxed by nothing',
    );
    const all = await good(send('PATCH', at, { shippingOptionId: option, note: 'Ring\ntwice' }, cart.token));
    assert.deepEqual(
      [all.status, all.missing, all.total, all['shipping'], all['tax'], all['pricesIncludeTax']],
      ['ready', [], eur('31.67'), eur('4.90'), eur('5.05'), true],
    );
    assert.deepEqual(
      (all['taxes'] as { percentage: string }[]).map(({ percentage }) => percentage),
      ['19'],
    );
    assert.deepEqual(all['paymentHandlers'], [{ handler: 'manual', methods: ['invoice', 'bank_transfer'] }]);
    const again = await send('POST', '/checkouts', { cartId: cart.id }, cart.token);
    assert.deepEqual(
      [again.status, (again.body as Checkout).id, (again.body as Checkout).status],
      [200, one.id, 'ready'],
    );

    const bought = await good(send('POST', `${at}/complete`, { ...invoice, total: all.total }, cart.token));
    assert.deepEqual(
      [bought.status, bought.total, (bought['payment'] as { status: string }).status, bought.order?.number],
      ['completed', all.total, 'awaiting', '1001'],
    );
    assert.equal(bought['mode'], 'live');
    assert.deepEqual([await rows('orders.sales_order'), await rows('orders.payment')], [1, 1]);
    assert.deepEqual(await levels(), ['5 - 2'], 'reserved for the order');
    assert.equal((await good(send('GET', `/carts/${cart.id}`, undefined, cart.token))).status, 'converted');
    const { token: _token, ...shown } = bought;
    assert.deepEqual(await good(send('GET', at, undefined, cart.token)), shown);
    assert.deepEqual(
      (await good(send('POST', '/checkouts', { cartId: cart.id }, cart.token))).order?.id,
      bought.order?.id,
      'the cart answers what came of it',
    );
    assert.ok(JSON.stringify(bought).includes('<i>Plate</i>'), 'HTML is text');

    const { id: orderId, token: orderToken, number } = bought.order ?? assert.fail('an order');
    const seen = async (id: string, token?: string): Promise<Answer> =>
      send('GET', `/orders/${id}`, undefined, undefined, token === undefined ? {} : { 'x-order-token': token });
    const own = await seen(orderId, orderToken);
    assert.deepEqual(
      [own.status, own.body['number'], own.body['total'], own.body['paymentStatus'], own.headers.get('cache-control')],
      [200, number, all.total, 'pending', 'private, no-store'],
    );
    const refused = [
      await seen(orderId),
      await seen(orderId, cart.token),
      await seen(orderId, `${orderToken.slice(0, -1)}${orderToken.endsWith('A') ? 'B' : 'A'}`),
      await seen(randomUUID(), orderToken),
    ];
    assert.deepEqual(
      new Set(refused.map(({ status, body }) => `${status} ${String(body['code'])}`)),
      new Set(['404 not_found']),
    );
    const other = await opened('test');
    const elsewhere = await other.send('GET', `/orders/${orderId}`, undefined, undefined, {
      'x-order-token': orderToken,
    });
    assert.equal(elsewhere.status, 404, 'a key of another site opens nothing');
  });

  test('that 20 buyers race for, with one piece left, makes one order and nineteen clear answers', async () => {
    const { goods, send, ready, rows, levels } = await opened();
    const cup = await goods.variant({ stock: 1 });
    const all = await Promise.all(Array.from({ length: 20 }, async () => ready(cup)));
    const answers = await Promise.all(
      all.map(async ({ id, token }) => send('POST', `/checkouts/${id}/complete`, invoice, token)),
    );
    assert.deepEqual(
      Object.entries(
        Object.groupBy(answers, ({ status, body }) => `${status} ${String(body['code'] ?? body['status'])}`),
      )
        .map(([kind, those]) => `${those?.length} × ${kind}`)
        .toSorted(),
      ['1 × 200 completed', '19 × 409 checkout_changed'],
    );
    for (const { status, body } of answers)
      if (status === 409) {
        const now = body['checkout'] as Checkout;
        assert.deepEqual([now.status, now.missing], ['open', ['lines']]);
        assert.deepEqual(
          (now['messages'] as { code: string }[]).map(({ code }) => code),
          ['out_of_stock'],
        );
      }
    assert.deepEqual(
      [await rows('orders.sales_order'), await rows('orders.payment'), await levels()],
      [1, 1, ['1 - 1']],
    );
  });

  test('that is completed twenty times at once is completed once, with or without a key', async () => {
    for (const headers of [{}, { 'idempotency-key': randomUUID() }] as Record<string, string>[]) {
      const { goods, send, ready, rows, levels } = await opened();
      const { id, token } = await ready(await goods.variant({ stock: 50 }), 2);
      const answers = await Promise.all(
        Array.from({ length: 20 }, async () => send('POST', `/checkouts/${id}/complete`, invoice, token, headers)),
      );
      for (const { status, body } of answers) assert.deepEqual([status, body], [200, answers[0]?.body]);
      assert.deepEqual(
        [await rows('orders.sales_order'), await rows('orders.payment'), await levels()],
        [1, 1, ['50 - 2']],
      );
      assert.equal(
        answers.filter((one) => one.headers.get('idempotent-replayed') === 'true').length,
        'idempotency-key' in headers ? 19 : 0,
      );
    }
  });

  test('in whose middle a price, the stock, the tax or shipping changes is told so, and nothing is done', async () => {
    const changes: Record<string, (shop: Awaited<ReturnType<typeof opened>>, cup: string) => Promise<unknown>> = {
      price: async ({ goods }, cup) => goods.reprice(cup, 900),
      stock: async ({ goods }, cup) => goods.count(cup, 1),
      gone: async ({ goods }, cup) => goods.withdraw(cup),
      discount: async ({ goods }) => goods.discount(20),
      shipping: async ({ tenant }) =>
        world.admin.query(sql`update checkout.shipping_option set amount = 700 where tenant_id = ${tenant}::uuid`),
      served: async ({ tenant }) =>
        world.admin.query(
          sql`update checkout.shipping_zone set archived_at = clock_timestamp() where tenant_id = ${tenant}::uuid`,
        ),
      tax: async ({ tenant }) =>
        world.admin.query(
          sql`update checkout.tax_zone set rates = jsonb_set(rates, '{0,percentage}', '"7"') where tenant_id = ${tenant}::uuid`,
        ),
    };
    for (const [name, change] of Object.entries(changes)) {
      const shop = await opened();
      const { goods, send, good, ready, rows, levels } = shop;
      const cup = await goods.variant({ stock: 9 });
      const { id, token, total } = await ready(cup, 2);
      await change(shop, cup);
      for (const body of [invoice, { ...invoice, total }]) {
        if (name === 'tax' && 'total' in body) continue;
        const told = await send('POST', `/checkouts/${id}/complete`, body, token);
        assert.deepEqual([told.status, told.body['code']], [409, 'checkout_changed'], name + told.text);
      }
      assert.deepEqual([await rows('orders.sales_order'), await rows('orders.payment')], [0, 0], name);
      assert.ok(
        (await levels()).every((level) => level.endsWith('- 0')),
        name,
      );
      const now = await good(send('GET', `/checkouts/${id}`, undefined, token));
      const next = await send('POST', `/checkouts/${id}/complete`, invoice, token);
      if (now.status === 'ready')
        assert.equal((next.body as Checkout).status, 'completed', 'what was shown is agreed to');
      else assert.equal(next.body['code'], 'checkout_not_ready', name);
    }
  });

  test('keeps the agreement to news for the address that it was given with', async () => {
    const { goods, good, ready, send } = await opened();
    const { id, token } = await ready(await goods.variant());
    const agreed = async (change: object): Promise<unknown> =>
      (await good(send('PATCH', `/checkouts/${id}`, change, token)))['marketingConsent'];
    const ann = { email: 'ann@example.com' };
    assert.equal(await agreed({ ...ann, marketingConsent: true }), true);
    assert.equal(await agreed({ email: 'ANN@example.com', name: 'Ann' }), true);
    assert.equal(await agreed({ email: null }), false);
    assert.equal(await agreed({ email: 'eve@example.com' }), false);
    assert.equal(await agreed({ ...ann, marketingConsent: true }), true);
    assert.equal(await agreed({ email: 'eve@example.com' }), false);
    assert.equal(await agreed({ email: null, marketingConsent: true }), true, 'said before the address');
    assert.equal(await agreed(ann), true);
  });

  test('in whose middle a price list ends is told so, and nothing is done at its price', async () => {
    const { goods, send, good, ready, rows } = await opened();
    const cup = await goods.variant({ cents: 1000, stock: 9 });
    const list = await goods.listed(cup, 700);
    const { id, token, lines } = await ready(cup, 2);
    const [line] = lines as unknown as readonly { unitPrice: unknown; compareAtPrice: unknown }[];
    assert.deepEqual(
      [line?.unitPrice, line?.compareAtPrice],
      [
        { amount: '7.00', currency: 'EUR' },
        { amount: '10.00', currency: 'EUR' },
      ],
    );
    await goods.unlisted(list);
    const refused = await send('POST', `/checkouts/${id}/complete`, invoice, token);
    assert.deepEqual(
      [refused.status, refused.body['code'], await rows('orders.sales_order')],
      [409, 'checkout_changed', 0],
    );
    const now = await good(send('GET', `/checkouts/${id}`, undefined, token));
    assert.deepEqual(
      (now.messages as unknown as readonly { code: string }[])
        .map(({ code }) => code)
        .filter((code) => code === 'price_changed'),
      ['price_changed'],
    );
    const done = await send('POST', `/checkouts/${id}/complete`, invoice, token);
    assert.equal((done.body as Checkout).status, 'completed', done.text);
  });

  test('never changes once it is completed, cancelled or expired, whatever is sent', async () => {
    const { goods, send, good, ready } = await opened();
    const cup = await goods.variant({ stock: 99 });
    for (const [status, end] of [
      ['completed', async (id: string, token: string) => send('POST', `/checkouts/${id}/complete`, invoice, token)],
      ['cancelled', async (id: string, token: string) => send('POST', `/checkouts/${id}/cancel`, undefined, token)],
      [
        'expired',
        async (id: string) =>
          world.admin.query(
            sql`update checkout.session set expires_at = clock_timestamp() where checkout_id = ${id}::uuid`,
          ),
      ],
    ] as const) {
      const { id, token } = await ready(cup);
      await end(id, token);
      const before = await good(send('GET', `/checkouts/${id}`, undefined, token));
      assert.equal(before.status, status);
      const kept = async () =>
        JSON.stringify(
          await world.admin.query(sql`select to_json(s) from checkout.session s where checkout_id = ${id}::uuid`),
        );
      const row = await kept();
      await goods.reprice(cup, 500 + Math.floor(Math.random() * 9));
      const openApi = [
        ['PATCH', '', { email: 'eve@example.com' }],
        ['PATCH', '', { lines: [{ variantId: cup, quantity: 3 }] }],
        ['POST', '/complete', { payment: { handler: 'manual', method: 'bank_transfer' } }],
        ['POST', '/confirm', { outcome: 'succeed' }],
        ['POST', '/cancel', undefined],
      ] as const;
      for (const [method, path, body] of openApi) {
        const { status: answered, body: said } = await send(method, `/checkouts/${id}${path}`, body, token);
        const alike = status === 'completed' && (path === '/complete' || path === '/confirm');
        if (alike) assert.deepEqual([answered, said], [200, before]);
        else assert.deepEqual([answered, said['code']], [409, 'checkout_closed'], `${status} ${method} ${path}`);
      }
      assert.deepEqual(await good(send('GET', `/checkouts/${id}`, undefined, token)), before);
      assert.equal(await kept(), row);
    }
  });

  test('is read without being written, in each state, while nothing about it changes', async () => {
    const { goods, send, ready } = await opened();
    const cup = await goods.variant();
    const begun = await send('POST', '/checkouts', { currency: 'EUR', lines: [{ variantId: cup, quantity: 1 }] });
    for (const { id, token, status } of [begun.body as unknown as Checkout, await ready(cup)]) {
      const row = async () =>
        world.admin.query(sql`select xmin::text, version from checkout.session where checkout_id = ${id}::uuid`);
      const before = await row();
      for (let n = 0; n < 3; n += 1) {
        const { body } = await send('GET', `/checkouts/${id}`, undefined, token);
        assert.equal(body['status'], status);
        assert.equal(body['version'], before[0]?.['version']);
      }
      assert.deepEqual(await row(), before, status);
    }
  });

  test('is nobody’s without its token or under another site', async () => {
    const { goods, send, ready, context } = await opened();
    const { id, token } = await ready(await goods.variant());
    const other = await server.site(context);
    for (const [given, key] of [
      ['x', undefined],
      [undefined, undefined],
      [token, other.key],
    ] as const)
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PATCH', '', {}],
        ['POST', '/complete', invoice],
        ['POST', '/confirm', {}],
        ['POST', '/cancel', undefined],
      ] as const) {
        const headers: Record<string, string> = key === undefined ? {} : { 'x-service-sdk-key': key };
        assert.equal(
          (await send(method, `/checkouts/${id}${path}`, body, given, headers)).status,
          404,
          `${method} ${path}`,
        );
      }
  });

  test('of a test key pays in all ways, and touches neither live stock, numbers nor contacts', async () => {
    const { goods, send, good, ready, rows, levels, tenant } = await opened('test');
    const cup = await goods.variant({ stock: 9 });
    const complete = async ({ id, token }: Checkout, method: string) =>
      good(send('POST', `/checkouts/${id}/complete`, { payment: { handler: 'test', method } }, token));
    const one = await ready(cup);
    assert.equal((await complete(one, 'succeed')).order?.number, 'TEST-1001');
    const two = await ready(cup);
    const declined = await complete(two, 'decline');
    assert.deepEqual(
      [declined.status, codes({ body: declined } as unknown as Answer)],
      ['ready', ['payment_declined']],
    );
    assert.deepEqual(await levels('test'), ['9 - 1'], 'what was held is free again');
    const waiting = await complete(two, 'require_action');
    assert.deepEqual([waiting.status, waiting.order], ['completing', null]);
    assert.deepEqual((waiting['payment'] as { action: object }).action, {
      kind: 'confirm',
      outcomes: ['succeed', 'decline'],
    });
    assert.equal(
      (await send('PATCH', `/checkouts/${two.id}`, { note: 'x' }, two.token)).body['code'],
      'payment_in_progress',
    );
    assert.deepEqual(await levels('test'), ['9 - 2']);
    const refused = await good(send('POST', `/checkouts/${two.id}/confirm`, { outcome: 'decline' }, two.token));
    assert.equal(refused.status, 'ready');
    assert.equal((await complete(two, 'require_action')).status, 'completing');
    const done = await Promise.all(
      Array.from({ length: 6 }, async () =>
        good(send('POST', `/checkouts/${two.id}/confirm`, { outcome: 'succeed' }, two.token)),
      ),
    );
    assert.deepEqual([...new Set(done.map(({ order }) => order?.number))], ['TEST-1002']);
    const three = await ready(cup);
    assert.equal((await complete(three, 'time_out')).status, 'completing');
    const looked = await good(send('GET', `/checkouts/${three.id}`, undefined, three.token));
    assert.deepEqual([looked.status, codes({ body: looked } as unknown as Answer)], ['ready', ['payment_declined']]);
    const four = await ready(cup);
    await complete(four, 'require_action');
    assert.equal((await good(send('POST', `/checkouts/${four.id}/cancel`, undefined, four.token))).status, 'cancelled');
    assert.deepEqual([await levels('test'), await levels('live')], [['9 - 2'], ['9 - 0']]);
    assert.equal(await rows('orders.sales_order'), 2);
    const contacts = await world.admin.query(sql`select test from crm.contact where tenant_id = ${tenant}::uuid`);
    assert.deepEqual(contacts, [{ test: true }]);
  });

  test('of the last piece, whose payment is found declined when it is looked at, has that piece again at once', async () => {
    const { goods, send, good, ready, levels } = await opened('test');
    const { id, token } = await ready(await goods.variant({ stock: 1 }));
    const payment = { handler: 'test', method: 'time_out' };
    const asked = await good(send('POST', `/checkouts/${id}/complete`, { payment }, token));
    assert.equal(asked.status, 'completing');
    const looked = await good(send('GET', `/checkouts/${id}`, undefined, token));
    assert.deepEqual(
      [looked.status, looked['missing'], codes({ body: looked } as unknown as Answer)],
      ['ready', [], ['payment_declined']],
    );
    assert.deepEqual(await levels('test'), ['1 - 0']);
  });

  test('that nobody came back to is followed up: its time over, stock and discounts are free', async () => {
    const { goods, send, ready, levels } = await opened('test');
    const { id, token } = await ready(await goods.variant({ stock: 3 }), 2);
    await send('POST', `/checkouts/${id}/complete`, { payment: { handler: 'test', method: 'require_action' } }, token);
    assert.deepEqual(await levels('test'), ['3 - 2']);
    await server.followUp();
    assert.deepEqual(await levels('test'), ['3 - 2'], 'its buyer has still time');
    await world.admin.query(
      sql`update checkout.session set expires_at = clock_timestamp() where checkout_id = ${id}::uuid`,
    );
    await Promise.all(Array.from({ length: 4 }, async () => server.followUp()));
    assert.deepEqual(await levels('test'), ['3 - 0']);
    assert.equal((await send('GET', `/checkouts/${id}`, undefined, token)).body['status'], 'expired');
  });

  test('takes no nonsense, and tells where it is', async () => {
    const { goods, send, begun, ready, tenant } = await opened();
    const cup = await goods.variant();
    const { id, token } = await begun([{ variantId: cup, quantity: 1 }]);
    for (const [body, expected] of [
      [{ email: 'nobody' }, ['invalid_request', '/email invalid_value']],
      [
        { shippingAddress: { ...berlin, country: 'XX' } },
        ['invalid_request', '/shippingAddress/country invalid_value'],
      ],
      [{ shippingAddress: { ...berlin, zip: '1' } }, ['invalid_request', '/shippingAddress/zip unknown_field']],
      [
        { shippingAddress: { country: 'DE' } },
        ['invalid_request', '/shippingAddress/line1 required', '/shippingAddress/city required'],
      ],
      [{ shippingOptionId: randomUUID() }, ['invalid_request', '/shippingOptionId not_offered']],
      [{ total: eur('0.01') }, ['invalid_request', '/total unknown_field']],
      [{ lines: [{ variantId: cup, quantity: -1 }] }, ['invalid_request', '/lines/0/quantity too_small']],
      [{ lines: [{ variantId: randomUUID(), quantity: 1 }] }, ['not_sold', '/lines/0/variantId not_sold']],
      [{ name: 'x'.repeat(201) }, ['invalid_request', '/name too_big']],
    ] as [unknown, unknown[]][])
      assert.deepEqual(
        faults(await send('PATCH', `/checkouts/${id}`, body, token)),
        expected,
        JSON.stringify(body).slice(0, 80),
      );
    const abroad = await send('PATCH', `/checkouts/${id}`, { shippingAddress: { ...berlin, country: 'FR' } }, token);
    assert.deepEqual([abroad.status, codes(abroad)], [200, ['country_not_served']]);
    assert.deepEqual((abroad.body as Checkout).missing, ['email', 'shipping_option']);
    await world.admin.query(sql`
      insert into checkout.tax_setting (tenant_id, country, prices_without_tax, reverse_charge) values (${tenant}::uuid, 'DE', '{}', true)`);
    const business = await send('PATCH', `/checkouts/${id}`, { vatNumber: 'FR1' }, token);
    assert.deepEqual(codes(business), ['country_not_served', 'vat_number_unread']);
    const early = await send('POST', `/checkouts/${id}/complete`, invoice, token);
    assert.deepEqual(faults(early), ['checkout_not_ready', '/email required', '/shippingOptionId required']);
    const one = await ready(cup);
    for (const [body, expected] of [
      [{}, ['invalid_request', '/payment required']],
      [{ payment: { handler: 'card', method: 'card' } }, ['payment_not_offered', '/payment/handler not_offered']],
      [{ payment: { handler: 'test', method: 'succeed' } }, ['payment_not_offered', '/payment/handler not_offered']],
      [{ payment: { handler: 'manual', method: 'gold' } }, ['payment_not_offered', '/payment/method not_offered']],
      [{ ...invoice, price: eur('1.00') }, ['invalid_request', '/price unknown_field']],
    ] as [unknown, unknown[]][])
      assert.deepEqual(faults(await send('POST', `/checkouts/${one.id}/complete`, body, one.token)), expected);
    for (const body of [{}, { cartId: randomUUID(), lines: [{ variantId: cup, quantity: 1 }] }])
      assert.equal((await send('POST', '/checkouts', body)).body['code'], 'invalid_request');
    assert.equal((await send('POST', '/checkouts', { cartId: randomUUID() }, token)).status, 404);
  });
});
