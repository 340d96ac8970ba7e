import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Brand, createWorld, usual, type World } from '../fixtures/world.ts';
import type { Told } from '../fixtures/told.ts';
import { operations } from '../operations.ts';

const meta = (more: object = {}) => ({ api_version: '2026-04-17', ...more });
const begun = { currency: 'eur', capabilities: {} };
const paid = {
  payment_data: {
    handler_id: 'mock_payment_handler',
    instrument: { type: 'card', credential: { type: 'spt', token: 'success_token' } },
    billing_address: {
      name: 'Ann Bo',
      line_one: 'Weg 1',
      city: 'Berlin',
      state: '',
      country: 'DE',
      postal_code: '10115',
    },
  },
};

describe('tools for agents of the Agentic Commerce Protocol', () => {
  let world: World;
  let brand: Brand;
  before(async () => {
    world = await createWorld();
    brand = await world.brand();
  });
  after(async () => world[Symbol.asyncDispose]());

  const post = async (text: string) =>
    fetch(`${world.origin}/commerce/acp/${brand.brandId}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${usual}` },
      body: text,
    });

  test('buy, by the official client, what REST then shows', async () => {
    const cup = await brand.goods.variant({ ships: false });
    const client = new Client({ name: 'agent', version: '1' });
    const url = new URL(`${world.origin}/commerce/acp/${brand.brandId}/mcp`);
    const requestInit = { headers: { authorization: `Bearer ${usual}` } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as never);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name).toSorted(),
      operations.flatMap(({ name, tool }) => (tool ? [name] : [])).toSorted(),
    );
    // The client holds each answer below to it.
    for (const { outputSchema } of tools) assert.deepEqual(outputSchema?.required, ['id']);
    const cancels = tools.find(({ name }) => name === 'cancel_checkout_session');
    assert.deepEqual(cancels?.inputSchema.required, ['meta', 'id'], 'a payload is owed where there must be one alone');
    const call = async (name: string, args: object) => {
      const told = await client.callTool({ name, arguments: { meta: meta(), ...args } });
      assert.equal((told as { id?: unknown }).id, (told.structuredContent as { id?: unknown }).id);
      return told.structuredContent as unknown as Told;
    };
    const cart = await call('create_cart', { payload: { line_items: [{ id: cup }] } });
    assert.equal((await call('get_cart', { id: cart.id })).id, cart.id);
    const made = await call('create_checkout_session', {
      payload: { ...begun, line_items: [{ id: cup, quantity: 2 }] },
    });
    const { id } = made;
    const buyer = { email: 'ann@example.com' };
    const said = await call('update_checkout_session', { id, payload: { buyer } });
    assert.equal(said.status, 'ready_for_payment', JSON.stringify(said));
    const done = await call('complete_checkout_session', { id, payload: paid });
    assert.equal(done.status, 'completed', JSON.stringify(done));
    const order = await call('get_order', { id: done.order.id });
    assert.deepEqual(order, (await brand.send('GET', `/orders/${done.order.id}`)).body);
    const other = await call('create_checkout_session', { payload: { ...begun, line_items: [{ id: cup }] } });
    const canceled = await call('cancel_checkout_session', { id: other.id });
    const { id: third } = await call('create_checkout_session', { payload: { ...begun, line_items: [{ id: cup }] } });
    assert.equal((await call('cancel_checkout_session', { id: third, payload: null })).status, 'canceled');
    assert.equal(canceled.status, 'canceled');
    await assert.rejects(
      client.callTool({ name: 'get_checkout_session', arguments: { meta: meta(), id: randomUUID() } }),
      (error: { code?: number; data?: { code?: string } }) =>
        error.code === -32_000 && error.data?.code === 'not_found',
    );
    await client.close();
  });

  test('are held to the published schemas, and replay under a key that REST has too', async () => {
    const cup = await brand.goods.variant({ ships: false });
    const key = randomUUID();
    const payload = { ...begun, line_items: [{ id: cup }] };
    const one = await brand.send('POST', '/checkout_sessions', { key, body: payload });
    const asked = { meta: meta({ idempotency_key: key }), payload };
    const two = await brand.tool('create_checkout_session', asked);
    assert.deepEqual([two.result?.id, two.headers.get('idempotent-replayed')], [one.body.id, 'true']);
    const other = await brand.tool('create_checkout_session', {
      ...asked,
      payload: { ...begun, line_items: [{ id: cup, quantity: 2 }] },
    });
    assert.deepEqual([other.error?.code, other.error?.data?.code], [-32_000, 'idempotency_conflict']);
    const keyless = await brand.tool('create_checkout_session', { meta: meta(), payload });
    assert.notEqual(keyless.result?.id, one.body.id, 'a key is not owed here');
    const order = await brand.tool('cancel_cart', { meta: meta(), id: randomUUID() });
    assert.equal(order.error?.data?.code, 'not_found');
  });

  test('refuse as the protocol says: -32000 with an error of its own, -32602 where nothing was asked of it', async () => {
    const cup = await brand.goods.variant({ ships: false });
    const payload = { ...begun, line_items: [{ id: cup }] };
    const id = randomUUID();
    for (const [name, args, code, word] of [
      ['create_checkout_session', { payload }, -32_000, 'missing_api_version'],
      ['create_checkout_session', { meta: { api_version: '2020-01-01' }, payload }, -32_000, 'unsupported_api_version'],
      ['create_checkout_session', { meta: meta() }, -32_000, 'missing'],
      ['create_checkout_session', { meta: meta(), payload: { ...payload, colour: 'red' } }, -32_000, 'invalid'],
      ['get_checkout_session', { meta: meta(), id }, -32_000, 'not_found'],
      ['get_checkout_session', { meta: meta() }, -32_602, undefined],
      ['get_checkout_session', { meta: 'x', id }, -32_602, undefined],
      ['no_such_tool', { meta: meta() }, -32_602, undefined],
    ] as const) {
      const { status, error } = await brand.tool(name, args);
      assert.deepEqual([status, error?.code, error?.data?.code], [200, code, word], `${name} ${JSON.stringify(args)}`);
    }
    const stranger = await brand.tool('get_cart', { meta: meta(), id }, { headers: { authorization: '' } });
    assert.deepEqual([stranger.status, stranger.error?.data?.code], [401, 'unauthorized']);
    for (const [text, status, code] of [
      ['{', 400, -32_700],
      ['[]', 400, -32_600],
      ['{"jsonrpc":"2.0","id":1,"method":"nothing"}', 200, -32_601],
    ] as const) {
      const answer = await post(text);
      const { error } = (await answer.json()) as { error: { code: number } };
      assert.deepEqual([answer.status, error.code], [status, code]);
    }
    assert.equal((await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')).status, 202);
  });
});
