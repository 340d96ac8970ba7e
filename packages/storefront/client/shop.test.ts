import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { after, before, beforeEach, describe, it } from 'node:test';
import { json } from 'node:stream/consumers';
import { listen, problem } from '../fixtures/storefront.ts';
import { StorefrontError } from './error.ts';
import { createShop, type Shop } from './shop.ts';

interface Seen {
  readonly asked: string;
  readonly key: string | undefined;
  readonly token: string | undefined;
  /** `If-Match` */
  readonly version: string | undefined;
  readonly body: unknown;
}

/** What the next requests are answered, by status; -1 cuts the connection. */
type Answer = readonly [status: number, body?: object | string, headers?: Record<string, string>];

const cart = (more: object = {}): object => ({ id: 'c-1', status: 'open', lines: [], itemCount: 0, ...more });
const line = [{ variantId: 'v-1', quantity: 1 }];

describe('the client of a shop', () => {
  let server: Server;
  let baseUrl: string;
  let seen: Seen[];
  let answers: Answer[];
  let memory: Map<string, string>;
  let shop: Shop;
  before(async () => {
    server = createServer((request, response) => {
      void (async () => {
        const { method, url, headers } = request;
        seen.push({
          asked: `${method} ${url}`,
          key: headers['idempotency-key'] as string | undefined,
          token: headers['x-cart-token'] as string | undefined,
          version: headers['if-match'],
          body: headers['content-type'] === undefined ? undefined : await json(request),
        });
        const [status, body = {}, more] = answers.shift() ?? [500];
        if (status === -1) response.destroy();
        else
          response
            .writeHead(status, { 'content-type': 'application/json', ...more })
            .end(typeof body === 'string' ? body : JSON.stringify(body));
      })();
    });
    baseUrl = await listen(server);
  });
  beforeEach(() => {
    seen = [];
    answers = [];
    memory = new Map();
    const storage = {
      getItem: (key: string) => memory.get(key) ?? null,
      setItem: (key: string, value: string) => void memory.set(key, value),
    };
    shop = createShop({ baseUrl, sdkKey: 'pk_test_1', storage });
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const failing = async (call: Promise<unknown>): Promise<StorefrontError> => {
    const error: unknown = await call.then(
      () => assert.fail('it succeeded'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof StorefrontError, String(error));
    return error;
  };
  const asked = (): string[] => seen.map((one) => one.asked);

  it('begins a cart with the first line, and finds it again by its token in another shop of the same storage', async () => {
    answers = [
      [201, { ...cart(), token: 't-1' }],
      [200, cart()],
    ];
    const made = await shop.cart.add(line, { currency: 'EUR' });
    assert.equal('token' in made, false, 'it stays with the client');
    assert.deepEqual(seen[0]?.body, { currency: 'EUR', lines: line });
    const storage = { getItem: (key: string) => memory.get(key) ?? null, setItem: () => undefined };
    assert.equal((await createShop({ baseUrl, sdkKey: 'pk_test_1', storage }).cart.get())?.id, 'c-1');
    assert.equal(seen[1]?.token, 't-1');
    assert.equal(await createShop({ baseUrl, sdkKey: 'pk_test_2', storage }).cart.get(), undefined);
  });

  it('makes one cart of two lines that are added at once', async () => {
    answers = [
      [201, { ...cart(), token: 't-1' }],
      [200, cart({ itemCount: 2 })],
    ];
    const [, both] = await Promise.all([shop.cart.add(line), shop.cart.add(line)]);
    assert.deepEqual([asked(), both.itemCount], [['POST /carts', 'POST /carts/c-1/lines'], 2]);
  });

  it('sends again what was not answered under the same key, and each other request under its own', async () => {
    answers = [[-1], [503, problem('unavailable', 503)], [201, { ...cart(), token: 't-1' }], [200, cart()]];
    await shop.cart.create();
    await shop.cart.change([{ id: 'l-1', quantity: 2 }]);
    const keys = seen.map(({ key }) => key ?? '');
    assert.match(keys[0] ?? '', /^[0-9a-f]{32}$/);
    assert.equal(new Set(keys.slice(0, 3)).size, 1);
    assert.notEqual(keys[3], keys[0]);
    answers = [[200, { items: [] }]];
    await shop.products.list({ query: 'mug & more', limit: 3 });
    assert.deepEqual([seen.at(-1)?.asked, seen.at(-1)?.key], ['GET /products?query=mug+%26+more&limit=3', undefined]);
    answers = [[200, { items: [] }]];
    await shop.products.list({ tag: ['a', 'b'], option: 'Colour:Red', vendor: [], facets: ['tag', 'option:Colour'] });
    assert.equal(seen.at(-1)?.asked, 'GET /products?tag=a&tag=b&option=Colour%3ARed&facets=tag&facets=option%3AColour');
  });

  it('sends nothing again that was refused, and says why', async () => {
    for (const [status, code] of [
      [409, 'checkout_changed'],
      [429, 'rate_limited'],
      [500, 'internal_error'],
    ] as const) {
      seen = [];
      answers = [[status, problem(code, status), { 'retry-after': '7' }]];
      const error = await failing(shop.cart.create());
      assert.deepEqual([error.status, error.code, seen.length], [status, code, 1]);
    }
    answers = [[200, '<html>Sign in to the hotel network</html>']];
    assert.equal((await failing(shop.products.get('mug'))).code, 'invalid_answer');
  });

  it('gives up after the third try', async () => {
    answers = [[-1], [-1], [-1], [200, {}]];
    const error = await failing(shop.products.get('mug'));
    assert.deepEqual([error.code, seen.length], ['network_error', 3]);
  });

  it('begins anew where the cart is over, and not where it refuses the line', async () => {
    const over = [409, problem('cart_closed', 409)] as const;
    answers = [[201, { ...cart(), token: 't-1' }], over, [200, cart({ status: 'converted' })]];
    await shop.cart.create();
    answers.push([201, { ...cart({ id: 'c-2' }), token: 't-2' }]);
    assert.equal((await shop.cart.add(line)).id, 'c-2');
    answers = [
      [409, problem('not_sold', 409)],
      [200, cart({ id: 'c-2' })],
    ];
    assert.equal((await failing(shop.cart.add(line))).code, 'not_sold');
    assert.equal(asked().filter((one) => one === 'POST /carts').length, 2);
  });

  it('tells who watches of every change', async () => {
    const told: (number | undefined)[] = [];
    const end = shop.cart.watch((now) => void told.push(now?.itemCount));
    answers = [
      [201, { ...cart({ itemCount: 1 }), token: 't-1' }],
      [200, cart({ itemCount: 3 })],
      [200, cart({ status: 'cancelled' })],
    ];
    await shop.cart.add(line);
    await shop.cart.add(line);
    await shop.cart.cancel();
    end();
    answers = [[201, { ...cart(), token: 't-2' }]];
    await shop.cart.create();
    assert.deepEqual(told, [1, 3, undefined]);
  });

  it('ends a request with its signal, and keeps order nevertheless', async () => {
    const ended = AbortSignal.abort(new Error('left'));
    await assert.rejects(shop.cart.create({}, { signal: ended }), /left/);
    answers = [[201, { ...cart(), token: 't-1' }]];
    assert.equal((await shop.cart.create()).id, 'c-1');
  });

  it('has no checkout without a cart', async () => {
    assert.equal((await failing(shop.checkout.create())).code, 'cart_not_found');
    assert.equal(await shop.checkout.get(), undefined);
    assert.deepEqual(seen, []);
  });

  it('carries the cart’s token to its checkout, and forgets the cart once it is ordered', async () => {
    answers = [
      [201, { ...cart(), token: 't-1' }],
      [201, { id: 'o-1', status: 'open' }],
      [200, { id: 'o-1', status: 'completed' }],
    ];
    await shop.cart.add(line);
    await shop.checkout.create();
    assert.deepEqual([seen[1]?.body, seen[1]?.token], [{ cartId: 'c-1' }, 't-1']);
    await shop.checkout.complete({ payment: { handler: 'test', method: 'succeed' } }, { version: 3 });
    assert.deepEqual(
      seen.slice(1, 3).map(({ asked: what, token, version }) => [what, token, version]),
      [
        [seen[1]?.asked, 't-1', undefined],
        ['POST /checkouts/o-1/complete', 't-1', '"3"'],
      ],
    );
    assert.equal(await shop.cart.get(), undefined);
    answers = [[200, { id: 'o-1', status: 'completed' }]];
    assert.equal((await shop.checkout.get())?.status, 'completed');
  });
});
