import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { issueKey } from '@steward/studio';
import { goodsOf } from '../fixtures/goods.ts';
import { ask, type Answer, createWorld, faults, type Running, type World } from '../fixtures/world.ts';

type Cart = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly token: string;
  readonly lines: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[];
};

describe('a cart', () => {
  let world: World;
  let server: Running;
  before(async () => {
    world = await createWorld();
    server = await world.start();
  });
  after(async () => world[Symbol.asyncDispose]());

  const opened = async () => {
    const site = await server.site(await server.tenant());
    const { tenant } = site.context;
    const send = async (
      method: string,
      path: string,
      body?: unknown,
      token?: string,
      headers: Record<string, string> = {},
      key = site.key,
    ): Promise<Answer> =>
      ask(server, `/storefront/v1/carts${path}`, {
        method,
        key,
        headers: {
          ...(token === undefined ? {} : { 'x-cart-token': token }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const made = async (body: object = {}): Promise<Cart> => {
      const answer = await send('POST', '', body);
      assert.equal(answer.status, 201, answer.text);
      return answer.body as Cart;
    };
    return { ...site, tenant, goods: goodsOf(world.admin, tenant), send, made };
  };
  const told = ({ body }: Answer): unknown[] =>
    (body['messages'] as { code: string; severity: string }[]).map(({ code, severity }) => `${severity} ${code}`);
  const eur = (amount: string) => ({ amount, currency: 'EUR' });

  test('is made with lines, at the prices of the shop, and read with its token', async () => {
    const { goods, made, send } = await opened();
    const cup = await goods.variant({ cents: 1250, compareAt: 1500 });
    const cart = await made({ lines: [{ variantId: cup, quantity: 2 }], locale: 'de' });
    assert.deepEqual(
      [
        cart['status'],
        cart['currency'],
        cart['subtotal'],
        cart['tax'],
        cart['total'],
        cart['itemCount'],
        cart['version'],
      ],
      ['open', 'EUR', eur('25.00'), null, eur('25.00'), 2, 1],
    );
    const [line] = cart.lines;
    assert.deepEqual(
      [
        line?.['title'],
        line?.['options'],
        line?.['unitPrice'],
        line?.['compareAtPrice'],
        line?.['total'],
        line?.['available'],
      ],
      ['Cup', { Size: 'M' }, eur('12.50'), eur('15.00'), eur('25.00'), true],
    );
    const { token, ...shown } = cart;
    assert.match(token, /^[\w-]{43}$/);
    const read = await send('GET', `/${cart.id}`, undefined, token);
    assert.deepEqual(read.body, shown);
    assert.deepEqual([read.headers.get('etag'), read.headers.get('cache-control')], ['"1"', 'private, no-store']);
    const [row] = await world.admin.query(sql`select token_sha256 from checkout.cart where cart_id = ${cart.id}::uuid`);
    assert.equal((row?.['token_sha256'] as Buffer | undefined)?.length, 32, 'no table has the token');
  });

  test('is nobody’s without its token, under another site, another tenant or the other mode', async () => {
    const shop = await opened();
    const { goods, made, send, context } = shop;
    const cup = await goods.variant();
    const cart = await made({ lines: [{ variantId: cup, quantity: 1 }] });
    const other = await server.site(context);
    const stranger = await opened();
    const { key: testKey } = await issueKey(
      context,
      { siteId: shop.siteId, label: 'Test', mode: 'test' },
      server.studio.deps,
    );
    const tries: [string | undefined, string][] = [
      [undefined, shop.key],
      ['', shop.key],
      [(await made()).token, shop.key],
      ['x'.repeat(10_000), shop.key],
      [cart.token, other.key],
      [cart.token, stranger.key],
      [cart.token, testKey ?? ''],
    ];
    const paths: [string, string, unknown?][] = [
      ['GET', ''],
      ['POST', '/lines', { lines: [{ variantId: cup, quantity: 1 }] }],
      ['PATCH', '/lines', { lines: [{ id: cart.lines[0]?.id, quantity: 0 }] }],
      ['PUT', '/codes', { codes: ['A'] }],
      ['DELETE', ''],
    ];
    for (const [token, key] of tries)
      for (const [method, end, body] of paths) {
        const { status, text } = await send(method, `/${cart.id}${end}`, body, token, {}, key);
        assert.equal(status, 404, `${method} ${end} ${text}`);
        const nowhere = await send(method, `/${newId()}${end}`, body, token, {}, key);
        assert.equal(nowhere.body['detail'], (JSON.parse(text) as { detail: string }).detail);
      }
    assert.equal((await send('GET', `/${cart.id}`, undefined, cart.token)).body['version'], 1, 'nothing was changed');
  });

  test('grows, shrinks and takes codes, each change once under its key', async () => {
    const { goods, made, send } = await opened();
    const [cup, plate] = [await goods.variant({ cents: 1000 }), await goods.variant({ cents: 300, title: 'Plate' })];
    await goods.discount(10, 'Ten');
    const { id, token } = await made({ lines: [{ variantId: cup, quantity: 1 }] });
    const add = {
      lines: [
        { variantId: cup, quantity: 2 },
        { variantId: plate, quantity: 1 },
      ],
    };
    const key = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => send('POST', `/${id}/lines`, add, token, key)),
    );
    for (const { status, body } of answers) assert.deepEqual([status, body], [200, answers[0]?.body]);
    assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 7);
    const grown = answers[0]?.body as Cart;
    assert.deepEqual([grown.lines.map((line) => line['quantity']), grown['total']], [[3, 1], eur('33.00')]);
    const reused = await send('POST', `/${id}/lines`, { lines: [{ variantId: cup, quantity: 9 }] }, token, key);
    assert.deepEqual([reused.status, reused.body['code']], [409, 'idempotency_key_reused']);
    const coded = await send('PUT', `/${id}/codes`, { codes: ['TEN', ' ten ', 'nonsense'] }, token);
    assert.deepEqual(
      [coded.body['codes'], coded.body['discount'], coded.body['total'], told(coded)],
      [['TEN', 'nonsense'], eur('3.30'), eur('29.70'), ['warning discount_not_found']],
    );
    const removed = await send('PATCH', `/${id}/lines`, { lines: [{ id: grown.lines[0]?.id, quantity: 0 }] }, token);
    assert.deepEqual([(removed.body as Cart).lines.length, removed.body['total']], [1, eur('2.70')]);
    assert.equal(removed.body['version'], 4);
    // Pressed twice, or in another tab: it is gone, and the rest of the request is done.
    const gone = [
      { id: grown.lines[0]?.id, quantity: 0 },
      { id: grown.lines[1]?.id, quantity: 2 },
    ];
    const again = await send('PATCH', `/${id}/lines`, { lines: gone }, token);
    assert.deepEqual(
      [again.status, (again.body as Cart).lines.map(({ quantity }) => quantity), again.body['total']],
      [200, [2], eur('5.40')],
    );
  });

  test('is lowered by a discount of a collection as far as its products are in it, while it is in use', async () => {
    const { goods, made, send, tenant } = await opened();
    const [cup, plate] = [await goods.variant({ cents: 1000 }), await goods.variant({ cents: 300, title: 'Plate' })];
    const collection = await goods.narrow(await goods.discount(10, 'Ten'), cup);
    const lines = [cup, plate].map((variantId) => ({ variantId, quantity: 1 }));
    const { id, token } = await made({ lines });
    const codes = { codes: ['ten'] };
    const lowered = await send('PUT', `/${id}/codes`, codes, token);
    assert.deepEqual([lowered.body['discount'], lowered.body['total']], [eur('1.00'), eur('12.00')]);
    await world.admin.query(sql`
      update catalogue.collection set archived_at = now() where tenant_id = ${tenant}::uuid and collection_id = ${collection}::uuid`);
    const read = await send('GET', `/${id}`, undefined, token);
    assert.deepEqual([read.body['discount'], told(read)], [eur('0.00'), ['warning discount_nothing_eligible']]);
  });

  test('that was changed since the page read it is changed no further', async () => {
    const { goods, made, send } = await opened();
    const cup = await goods.variant();
    const { id, token } = await made();
    const add = async (tag: string) =>
      send('POST', `/${id}/lines`, { lines: [{ variantId: cup, quantity: 1 }] }, token, { 'if-match': tag });
    const both = await Promise.all([add('"1"'), add('"1"')]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 412]);
    for (const tag of ['"1"', 'nonsense', '"3"']) assert.equal((await add(tag)).body['code'], 'version_changed', tag);
    assert.equal((await add('*')).status, 200);
    assert.equal((await add('"3"')).status, 200);
  });

  test('tells what changed since: prices, stock, and what is not sold any more', async () => {
    const { goods, made, send } = await opened();
    const [cup, plate, bowl] = [
      await goods.variant({ stock: 5 }),
      await goods.variant({ title: 'Plate' }),
      await goods.variant({ title: 'Bowl', stock: 1 }),
    ];
    const { id, token } = await made({ lines: [cup, plate, bowl].map((variantId) => ({ variantId, quantity: 1 })) });
    await goods.reprice(cup, 1100);
    await goods.withdraw(plate);
    await goods.count(bowl, 0);
    const read = await send('GET', `/${id}`, undefined, token);
    assert.deepEqual(told(read), ['warning price_changed', 'error no_longer_sold', 'error out_of_stock']);
    assert.deepEqual(
      (read.body as Cart).lines.map((line) => [line['title'], line['available'], line['unitPrice']]),
      [
        ['Cup', true, eur('11.00')],
        ['Plate', false, eur('10.00')],
        ['Bowl', false, eur('10.00')],
      ],
    );
    assert.deepEqual(read.body['total'], eur('21.00'), 'what is not sold costs nothing');
    const more = await send('POST', `/${id}/lines`, { lines: [{ variantId: cup, quantity: 9 }] }, token);
    assert.deepEqual(told(more), ['error quantity_not_available', 'error no_longer_sold', 'error out_of_stock']);
  });

  test('tells where all lines together take more of an item that they share than there is', async () => {
    const { goods, made, send } = await opened();
    const bottle = await goods.variant({ title: 'Bottle', stock: 13 });
    const pack = await goods.variant({ title: 'Six bottles' });
    await goods.takes(pack, bottle, 6);
    const { id, token } = await made({ lines: [{ variantId: pack, quantity: 2 }] });
    const more = await send('POST', `/${id}/lines`, { lines: [{ variantId: bottle, quantity: 2 }] }, token);
    assert.deepEqual(more.body['messages'], [
      {
        code: 'quantity_not_available',
        severity: 'error',
        text: 'Of Bottle only 1 can be bought.',
        lineId: (more.body as Cart).lines[1]?.id,
      },
    ]);
    await goods.count(bottle, 12);
    assert.deepEqual(told(await send('GET', `/${id}`, undefined, token)), ['error out_of_stock']);
    await goods.count(bottle, 14);
    assert.deepEqual(told(await send('GET', `/${id}`, undefined, token)), []);
  });

  test('that has ended does not change any more', async () => {
    const { goods, made, send } = await opened();
    const cup = await goods.variant();
    const ended = async (end: (id: string, token: string) => Promise<unknown>, status: string) => {
      const { id, token, lines } = await made({ lines: [{ variantId: cup, quantity: 1 }] });
      await end(id, token);
      const shown = await send('GET', `/${id}`, undefined, token);
      assert.equal(shown.body['status'], status);
      for (const [method, path, body] of [
        ['POST', '/lines', { lines: [{ variantId: cup, quantity: 1 }] }],
        ['PATCH', '/lines', { lines: [{ id: lines[0]?.id, quantity: 5 }] }],
        ['PUT', '/codes', { codes: [] }],
        ['DELETE', ''],
      ] as const)
        assert.equal(
          (await send(method, `/${id}${path}`, body, token)).body['code'],
          'cart_closed',
          `${method} ${path}`,
        );
      assert.deepEqual((await send('GET', `/${id}`, undefined, token)).body, shown.body);
    };
    await ended(async (id, token) => send('DELETE', `/${id}`, undefined, token), 'cancelled');
    await ended(
      async (id) =>
        world.admin.query(sql`update checkout.cart set expires_at = clock_timestamp() where cart_id = ${id}::uuid`),
      'expired',
    );
  });

  test('takes no nonsense, and does nothing of a request that has some', async () => {
    const { goods, made, send } = await opened();
    const cup = await goods.variant();
    const draft = await goods.variant({ status: 'draft' });
    const hidden = await goods.variant({ published: false });
    const foreign = await (await opened()).goods.variant();
    const { id, token } = await made({ lines: [{ variantId: cup, quantity: 1 }] });
    const line = (quantity: unknown, variantId: unknown = cup) => ({ lines: [{ variantId, quantity }] });
    for (const [body, expected] of [
      [line(-1), ['invalid_request', '/lines/0/quantity too_small']],
      [line(0), ['invalid_request', '/lines/0/quantity too_small']],
      [line(1.5), ['invalid_request', '/lines/0/quantity invalid_type']],
      [line('1'), ['invalid_request', '/lines/0/quantity invalid_type']],
      [line(1e9), ['invalid_request', '/lines/0/quantity too_big']],
      [line(999_999), ['invalid_request', '/lines/0/quantity too_big']],
      [{ lines: [] }, ['invalid_request', '/lines too_small']],
      [{ lines: Array.from({ length: 501 }, () => line(1).lines[0]) }, ['invalid_request', '/lines too_big']],
      [
        { lines: [{ variantId: cup, quantity: 1, unitPrice: eur('0.01') }] },
        ['invalid_request', '/lines/0/unitPrice unknown_field'],
      ],
      [{ ...line(1), total: eur('0.01') }, ['invalid_request', '/total unknown_field']],
      [line(1, 'cup'), ['invalid_request', '/lines/0/variantId invalid_format']],
      [line(1, newId()), ['not_sold', '/lines/0/variantId not_sold']],
      [line(1, draft), ['not_sold', '/lines/0/variantId not_sold']],
      [line(1, hidden), ['not_sold', '/lines/0/variantId not_sold']],
      [line(1, foreign), ['not_sold', '/lines/0/variantId not_sold']],
      [{ lines: [...line(1).lines, ...line(1, foreign).lines] }, ['not_sold', '/lines/1/variantId not_sold']],
    ] as [unknown, unknown[]][])
      assert.deepEqual(
        faults(await send('POST', `/${id}/lines`, body, token)),
        expected,
        JSON.stringify(body).slice(0, 99),
      );
    for (const [body, pointer] of [
      [{ lines: [{ id: newId(), quantity: 1 }] }, '/lines/0/id unknown'],
      [{ lines: [{ id: cup, quantity: -1 }] }, '/lines/0/quantity too_small'],
    ] as const)
      assert.deepEqual(faults(await send('PATCH', `/${id}/lines`, body, token)), ['invalid_request', pointer]);
    for (const [body, pointer] of [
      [{ currency: 'EURO' }, '/currency invalid_format'],
      [{ currency: 'XYZ' }, '/currency invalid_value'],
      [{ locale: '<b>' }, '/locale invalid_format'],
      [{ codes: Array.from({ length: 6 }, (_, at) => `C${at}`) }, '/codes too_big'],
      [{ codes: ['x'.repeat(65)] }, '/codes/0 too_big'],
    ] as const)
      assert.deepEqual(faults(await send('POST', '', body)), ['invalid_request', pointer]);
    assert.deepEqual(faults(await send('POST', '', { ...line(1), currency: 'USD' })), [
      'not_sold',
      '/lines/0/variantId not_sold',
    ]);
    for (const key of ['1', 'x'.repeat(256), 'a b'.repeat(9)])
      assert.deepEqual(
        faults(await send('POST', '', {}, undefined, { 'idempotency-key': key })),
        ['invalid_request', 'Idempotency-Key invalid_format'],
        'whoever guesses the key would be told the token',
      );
    assert.equal((await send('GET', `/${id}`, undefined, token)).body['version'], 1);
  });

  test('that is asked for twice under one key is made once, and its token is told again', async () => {
    const { send, tenant } = await opened();
    const key = { 'idempotency-key': randomUUID() };
    const all = await Promise.all(Array.from({ length: 6 }, async () => send('POST', '', {}, undefined, key)));
    assert.equal(new Set(all.map(({ text }) => text)).size, 1);
    const [made] = await world.admin.query(
      sql`select count(*)::int as carts from checkout.cart where tenant_id = ${tenant}::uuid`,
    );
    assert.equal(made?.['carts'], 1);
    const { id, token } = JSON.parse(all[0]?.text ?? '{}') as Cart;
    assert.equal((await send('GET', `/${id}`, undefined, token)).status, 200);
  });
});
