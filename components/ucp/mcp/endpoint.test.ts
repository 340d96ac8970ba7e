import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Brand, createWorld, usual, type World } from '../fixtures/world.ts';
import type { Told } from '../fixtures/told.ts';
import { operations } from '../operations.ts';

describe('tools for agents', () => {
  let world: World;
  let brand: Brand;
  before(async () => {
    world = await createWorld();
    brand = await world.brand();
  });
  after(async () => world[Symbol.asyncDispose]());

  const meta = () => ({ 'ucp-agent': { profile: usual }, 'idempotency-key': randomUUID() });

  test('buy, by the official client, what REST then shows', async () => {
    const cup = await brand.goods.variant({ ships: false });
    await brand.index();
    const client = new Client({ name: 'agent', version: '1' });
    const url = new URL(`${world.origin}/commerce/ucp/${brand.brandId}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url) as never);
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).toSorted(), operations.map(({ name }) => name).toSorted());
    const nouns = {
      checkout: 'checkout',
      cart: 'cart',
      order: 'order',
      search: 'catalog_search',
      lookup: 'catalog_lookup',
    };
    for (const { name, capability } of operations) {
      const said = tools.find((one) => one.name === name)?.outputSchema;
      const noun = nouns[capability.split('.').at(-1) as keyof typeof nouns];
      // The client holds each answer below to it.
      assert.deepEqual([said?.type, said?.required], ['object', ['ucp']], name);
      assert.match(JSON.stringify(said), new RegExp(`https://ucp.dev/2026-08-25/schemas/shopping/${noun}.json`), name);
    }
    const call = async (name: string, args: object) =>
      (await client.callTool({ name, arguments: { meta: meta(), ...args } })).structuredContent as unknown as Told;
    const found = await call('search_catalog', { catalog: { query: 'cup' } });
    assert.equal(found.products[0]?.variants[0]?.id, cup);
    const line_items = [{ item: { id: cup }, quantity: 2 }];
    const cart = await call('create_cart', { cart: { line_items } });
    const made = await call('create_checkout', { checkout: { cart_id: cart.id, line_items: [] } });
    const { id } = made;
    const said = await call('update_checkout', { id, checkout: { line_items, buyer: { email: 'ann@example.com' } } });
    assert.equal(said.status, 'ready_for_complete', JSON.stringify(said));
    const payment = {
      instruments: [
        {
          id: 'i',
          handler_id: 'mock_payment_handler',
          type: 'card',
          credential: { type: 'token', token: 'success_token' },
          billing_address: { street_address: 'Weg 1', address_locality: 'Berlin', address_country: 'DE' },
        },
      ],
    };
    const done = await call('complete_checkout', { id, checkout: { payment } });
    assert.equal(done.status, 'completed', JSON.stringify(done));
    const order = await call('get_order', { id: done.order.id });
    assert.deepEqual(order, (await brand.send('GET', `/orders/${done.order.id}`)).body);
    const gone = await call('get_checkout', { id: randomUUID() });
    assert.deepEqual([gone.ucp.status, gone.messages[0]?.code], ['error', 'not_found']);
    await client.close();
  });

  test('refuse by the codes of the protocol, each with its status', async () => {
    const cup = await brand.goods.variant({ ships: false });
    const line_items = [{ item: { id: cup }, quantity: 1 }];
    world.profile('https://new.example/p', { version: '2099-01-01', capabilities: {} });
    const about = (profile: string) => ({ 'ucp-agent': { profile }, 'idempotency-key': randomUUID() });
    const key = randomUUID();
    const same = { 'ucp-agent': { profile: usual }, 'idempotency-key': key };
    await brand.tool('create_cart', { meta: same, cart: { line_items } });
    for (const [name, args, status, code, word] of [
      [
        'create_cart',
        { meta: about('https://new.example/p'), cart: { line_items } },
        422,
        -32001,
        'version_unsupported',
      ],
      [
        'create_cart',
        { meta: about('https://nobody.example/p'), cart: { line_items } },
        401,
        -32000,
        'unauthenticated',
      ],
      [
        'create_cart',
        { meta: same, cart: { line_items: [...line_items, ...line_items] } },
        409,
        -32000,
        'idempotency_conflict',
      ],
      ['create_cart', { cart: { line_items: 'x' } }, 200, -32602, 'invalid_request'],
      ['create_checkout', { checkout: {} }, 200, -32602, 'invalid_request'],
      [
        'cancel_cart',
        { id: randomUUID(), meta: { 'ucp-agent': { profile: usual } } },
        200,
        -32602,
        'idempotency_key_required',
      ],
      ['get_cart', {}, 200, -32602, undefined],
      ['no_such_tool', {}, 200, -32602, undefined],
    ] as const) {
      const { status: got, body } = await brand.tool(name, args);
      assert.deepEqual([got, body.error.code, body.error.data?.code], [status, code, word], `${name} ${word}`);
    }
    const post = async (text: string) =>
      fetch(`${world.origin}/commerce/ucp/${brand.brandId}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text,
      });
    for (const [text, status, code] of [
      ['{', 400, -32700],
      ['[]', 400, -32600],
      ['{"jsonrpc":"2.0","id":1,"method":"nothing"}', 200, -32601],
    ] as const) {
      const answer = await post(text);
      assert.deepEqual(
        [answer.status, ((await answer.json()) as { error: { code: number } }).error.code],
        [status, code],
      );
    }
    assert.equal((await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')).status, 202);
  });
});
