import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { able, type Answer, type Brand, createWorld, usual, type World } from '../fixtures/world.ts';
import type { Told } from '../fixtures/told.ts';
import { names } from '../negotiation/versions.ts';
import { operations } from '../operations.ts';

const other = 'https://other.example/profile';
const older = 'https://older.example/profile';

describe('the doors of brands', () => {
  let world: World;
  let one: Brand;
  let two: Brand;
  before(async () => {
    world = await createWorld();
    world.profile(other, able('2026-08-25'));
    world.profile(older, able('2026-04-08'));
    [one, two] = [await world.brand(), await world.brand()];
  });
  after(async () => world[Symbol.asyncDispose]());

  /** One of each thing that an address can name. */
  const things = async (brand: Brand) => {
    const cup = await brand.goods.variant({ ships: false, title: `Mug ${randomUUID()}` });
    const line_items = [{ item: { id: cup }, quantity: 1 }];
    const buyer = { email: 'ann@example.com' };
    const cart = await brand.send('POST', '/carts', { body: { line_items, buyer } });
    const checkout = await brand.send('POST', '/checkout-sessions', { body: { line_items, buyer } });
    const sold = await brand.send('POST', '/checkout-sessions', { body: { line_items, buyer } });
    const done = await brand.send('POST', `/checkout-sessions/${sold.body.id}/complete`, {
      body: {
        payment: {
          instruments: [
            {
              id: 'i',
              handler_id: 'mock_payment_handler',
              type: 'card',
              credential: { type: 'token', token: 'success_token' },
              billing_address: { street_address: 'Weg 1', address_locality: 'Berlin', address_country: 'DE' },
            },
          ],
        },
      },
    });
    assert.equal(done.body.status, 'completed', done.text);
    return {
      '/carts/:id': cart.body.id as string,
      '/checkout-sessions/:id': checkout.body.id as string,
      '/orders/:id': done.body.order.id as string,
      line_items,
      cup,
    };
  };
  const noun = (path: string) => path.split('/').slice(0, 3).join('/') as '/carts/:id';
  const body = (method: string, line_items: unknown) => (method === 'GET' ? {} : { body: { line_items, payment: {} } });
  const errors = ({ body: told }: Answer) => [told.ucp.status, told.messages.map(({ code }) => code), told.id];

  /** A turn of a conversation, as it was answered. */
  const turn = async ({ brandId }: Brand, agent: string, data: object): Promise<string> => {
    const message = { kind: 'message', role: 'user', messageId: randomUUID(), parts: [{ kind: 'data', data }] };
    const answer = await fetch(`${world.origin}/commerce/ucp/${brandId}/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'ucp-agent': `profile="${agent}"` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } }),
    });
    return answer.text();
  };

  test('show nothing of one brand at another, and of one agent to another, at any address, by any tool and in any turn', async () => {
    const [mine, theirs] = [await things(one), await things(two)];
    let tried = 0;
    for (const { method, path, name, payload } of operations) {
      if (!path.includes(':id')) continue;
      const id = mine[noun(path)];
      const at = path.replace(':id', id);
      const elsewhere = await two.send(method, at, body(method, theirs.line_items));
      const stranger = await one.send(method, at, { ...body(method, mine.line_items), agent: other });
      const none = await one.send(method, path.replace(':id', randomUUID()), body(method, mine.line_items));
      for (const answer of [elsewhere, stranger]) {
        assert.deepEqual(errors(answer), ['error', ['not_found'], undefined], `${method} ${path}`);
        assert.equal(answer.text, none.text, 'the same as of nothing');
      }
      const given =
        payload === null || method === 'GET' ? {} : { [payload]: { line_items: mine.line_items, payment: {} } };
      const nothing = randomUUID();
      for (const [at, agent] of [
        [two, usual],
        [one, other],
      ] as const) {
        const meta = { 'ucp-agent': { profile: agent }, 'idempotency-key': randomUUID() };
        const called = await at.tool(name, { id, meta, ...given });
        assert.match(called.text, /not_found/, `the tool ${name}`);
        const same = await one.tool(name, { id: nothing, ...given });
        assert.equal(called.text.replaceAll(id, nothing), same.text, `the tool ${name}`);
        const said = await turn(at, agent, { action: name, id, ...given });
        assert.match(said, /"code":"not_found"/, `the turn ${name}`);
        assert.doesNotMatch(said, /line_items/, `the turn ${name}`);
      }
      tried += 1;
    }
    assert.equal(tried, 8);
    // Nothing of it was changed by that.
    for (const path of ['/carts/:id', '/checkout-sessions/:id', '/orders/:id'] as const)
      assert.equal((await one.send('GET', path.replace(':id', mine[path]))).body.ucp.status, 'success');
  });

  test('sell nothing of another brand, and find nothing of it', async () => {
    const { cup } = await things(one);
    const product = await one.send('POST', '/catalog/product', { body: { id: cup } });
    assert.equal(product.body.product.variants[0]?.id, cup, product.text);
    assert.deepEqual(errors(await two.send('POST', '/catalog/product', { body: { id: cup } })), [
      'error',
      ['not_found'],
      undefined,
    ]);
    for (const name of [cup, product.body.product.id, product.body.product.handle]) {
      const looked = await two.send('POST', '/catalog/lookup', { body: { ids: [name] } });
      assert.deepEqual([looked.body.products, looked.body.messages[0]?.code], [[], 'not_found']);
    }
    const words = product.body.product.title;
    assert.equal((await two.send('POST', '/catalog/search', { body: { query: words } })).body.products.length, 0);
    for (const path of ['/carts', '/checkout-sessions']) {
      const line_items = [{ item: { id: cup }, quantity: 1 }];
      assert.deepEqual(errors(await two.send('POST', path, { body: { line_items } })), [
        'error',
        ['item_unavailable'],
        undefined,
      ]);
    }
  });

  test('have keys of their own: one key is of one agent at one brand', async () => {
    const key = randomUUID();
    const [mine, theirs] = [await things(one), await things(two)];
    const made = await one.send('POST', '/carts', { body: { line_items: mine.line_items }, key });
    const elsewhere = await two.send('POST', '/carts', { body: { line_items: theirs.line_items }, key });
    const stranger = await one.send('POST', '/carts', { body: { line_items: mine.line_items }, key, agent: other });
    assert.deepEqual([made.status, elsewhere.status, stranger.status], [201, 201, 201]);
    assert.equal(new Set([made, elsewhere, stranger].map(({ body: { id } }) => id)).size, 3);
  });

  test('are not there for a brand that sells not so', async () => {
    for (const id of [randomUUID(), 'nothing', '../x']) {
      for (const { method, path } of operations) {
        const answer = await fetch(
          `${world.origin}/commerce/ucp/${encodeURIComponent(id)}${path.replace(':id', randomUUID())}`,
          {
            method,
            headers: { 'ucp-agent': `profile="${usual}"`, 'content-type': 'application/json' },
            ...(method === 'GET' ? {} : { body: '{}' }),
          },
        );
        assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [404, 'door_closed']);
      }
    }
  });

  test('answer each agent in its release, and no other than those that are served', async () => {
    const { line_items } = await things(one);
    const newer = await one.send('POST', '/checkout-sessions', { body: { line_items } });
    const old = await one.send('POST', '/checkout-sessions', { body: { line_items }, agent: older });
    assert.deepEqual([newer.body.ucp.version, old.body.ucp.version], ['2026-08-25', '2026-04-08']);
    world.profile('https://none.example/p', { version: '2099-01-01', capabilities: {} });
    const refused = await one.send('POST', '/checkout-sessions', {
      body: { line_items },
      agent: 'https://none.example/p',
    });
    assert.deepEqual([refused.status, refused.body.code], [422, 'version_unsupported']);
    assert.equal(world.refused.at(-1), 'version_unsupported', 'the log is told');
    const nobody = await one.send('POST', '/checkout-sessions', {
      body: { line_items },
      agent: 'https://nobody.example/p',
    });
    assert.deepEqual([nobody.status, Object.keys(nobody.body)], [401, ['code', 'content']]);
  });

  test('serve only what both sides have, and say only that', async () => {
    const { line_items } = await things(one);
    const url = 'https://little.example/p';
    const [entry] = [[{ version: '2026-08-25' }]];
    world.profile(url, { version: '2026-08-25', capabilities: { [names.checkout]: entry, [names.discount]: entry } });
    const made = await one.send('POST', '/checkout-sessions', {
      body: { line_items, discounts: { codes: ['x'] } },
      agent: url,
    });
    assert.deepEqual(Object.keys(made.body.ucp.capabilities), [names.checkout, names.discount]);
    assert.deepEqual([made.body.fulfillment, made.body.buyer], [undefined, undefined]);
    const cart = await one.send('POST', '/carts', { body: { line_items }, agent: url });
    assert.deepEqual(errors(cart), ['error', ['capabilities_incompatible'], undefined]);
    const shipped = await one.goods.variant();
    const byHand = await one.send('POST', '/checkout-sessions', {
      body: { line_items: [{ item: { id: shipped }, quantity: 1 }], buyer: { email: 'ann@example.com' } },
      agent: url,
    });
    assert.equal(byHand.body.status, 'requires_escalation', byHand.text);
    assert.equal((await fetch(byHand.body.continue_url)).status, 200);
  });

  test('pass over what they do not know, and refuse what they cannot read', async () => {
    const { line_items } = await things(one);
    const more = {
      line_items: line_items.map((line) => ({ ...line, more: { a: 1 } })),
      more: [1],
      id: 'mine',
      status: 'completed',
      currency: 'XXX',
      totals: [],
    };
    const made = await one.send('POST', '/checkout-sessions', { body: more });
    assert.deepEqual([made.status, made.body.currency, 'more' in made.body], [201, 'EUR', false]);
    for (const [raw, code] of [
      ['{"line_items": [{"item": {"id": "x"}, "quantity": 0}]}', 'invalid_request'],
      ['{"line_items": [{"item": {"id": "x"}, "quantity": 1.5}]}', 'invalid_request'],
      ['{"line_items": {}}', 'invalid_request'],
      ['[]', 'invalid_request'],
      ['{"line_items": [], "line_items": []}', 'invalid_json'],
      ['{', 'invalid_json'],
    ] as const) {
      const refused = await one.send('POST', '/carts', { raw });
      assert.deepEqual([refused.status, refused.body.code], [400, code], raw);
      assert.equal(typeof refused.body.content, 'string');
    }
    const lone = await one.send('POST', '/carts', { raw: '{"line_items": [{"item": {"id": "\\ud800"}}]}' });
    assert.equal(lone.body.content, 'A string contains a lone surrogate: remove it.');
    const begun = await one.send('POST', '/checkout-sessions', { body: { line_items } });
    for (const [method, path] of [
      ['POST', '/checkout-sessions'],
      ['PUT', `/checkout-sessions/${begun.body.id}`],
    ] as const)
      for (const raw of ['{}', '{"line_items": null}']) {
        const refused = await one.send(method, path, { raw });
        assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_request'], refused.text);
      }
    const typed = await one.send('POST', '/carts', { raw: '{}', headers: { 'content-type': 'text/plain' } });
    assert.deepEqual([typed.status, typed.body.code], [415, 'unsupported_media_type']);
    for (const id of ['x', '%00', 'a'.repeat(200)])
      assert.deepEqual(errors(await one.send('GET', `/carts/${id}`)), ['error', ['not_found'], undefined]);
    const ofMany = (quantity: number) =>
      one.send('POST', '/carts', { body: { line_items: [{ item: { id: line_items[0]?.item.id }, quantity }] } });
    assert.deepEqual(errors(await ofMany(2_147_483_647)), ['error', ['quantity_too_large'], undefined]);
    const huge = await ofMany(9_007_199_254_740_991);
    assert.deepEqual([huge.status, huge.body.code], [400, 'invalid_request'], huge.text);
  });

  test('have a profile of each release, which may be kept for a minute', async () => {
    const at = '/.well-known/ucp';
    const root = await one.send('GET', at);
    assert.deepEqual([root.status, root.body.ucp.version], [200, '2026-08-25'], root.text);
    assert.match(root.headers.get('cache-control') ?? '', /^public, max-age=\d{2,}$/);
    const { keys, signing_keys: signing, ucp } = root.body;
    assert.deepEqual(keys, signing);
    assert.deepEqual(Object.keys(ucp.supported_versions), ['2026-04-08']);
    const [rest, mcp] = ucp.services['dev.ucp.shopping'] ?? [];
    assert.deepEqual([rest?.transport, rest?.endpoint.endsWith('/'), mcp?.transport], ['rest', false, 'mcp']);
    for (const entries of Object.values(ucp.capabilities))
      for (const { version, schema } of entries)
        assert.deepEqual([version, schema.startsWith('https://ucp.dev/2026-08-25/')], [ucp.version, true]);
    const leaf = (await (await fetch(ucp.supported_versions['2026-04-08'] ?? '')).json()) as Told;
    assert.deepEqual([leaf.ucp.version, leaf.ucp.supported_versions], ['2026-04-08', undefined]);
    assert.equal((await one.send('GET', `${at}/2026-04-08`)).status, 200);
    const etag = root.headers.get('etag') ?? '';
    assert.equal((await one.send('GET', at, { headers: { 'if-none-match': etag } })).status, 304);
    assert.equal((await one.send('GET', `${at}/2020-01-01`)).status, 422);
  });
});
