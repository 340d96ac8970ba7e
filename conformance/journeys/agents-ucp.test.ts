import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { keySetOf, publicJwk, requiredOfAnswer, sign, verify } from '@steward/http-signatures';
import { startHttps } from '@steward/testing';
import { createWorld, type Json, openStore, type Sold, type World } from '../world/index.ts';

const owner = 'owner@example.com';
const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const berlin = {
  id: 'home',
  street_address: 'Weg 1',
  address_locality: 'Berlin',
  postal_code: '10115',
  address_country: 'DE',
};
const capabilities = [
  'dev.ucp.shopping.checkout',
  'dev.ucp.shopping.cart',
  'dev.ucp.shopping.order',
  'dev.ucp.shopping.catalog.search',
  'dev.ucp.shopping.catalog.lookup',
  'dev.ucp.shopping.fulfillment',
  'dev.ucp.shopping.discount',
];

interface Sent {
  readonly body?: unknown;
  readonly signed?: boolean;
  /** What is sent in place of what was signed. */
  readonly tampered?: string;
}

describe('a shopping agent buys by the Universal Commerce Protocol, signed, from the server as it is', () => {
  let world: World;
  let store: Sold;
  let base: string;
  let platform: Awaited<ReturnType<typeof startHttps>>;
  let configure: (terms: object) => Promise<void>;
  before(async () => {
    world = await createWorld({ AGENT_PROFILES_FROM_LOOPBACK: 'allow' });
    store = await openStore(world, owner);
    const version = '2026-08-25';
    const profile = JSON.stringify({
      ucp: { version, capabilities: Object.fromEntries(capabilities.map((name) => [name, [{ version }]])) },
      keys: [publicJwk(key)],
    });
    platform = await startHttps((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(profile);
    });
    const { tenant, token } = await world.signUp(owner);
    const decider = await world.token({ user: owner, approver: true });
    const { portal, commerce } = world.server.addresses;
    const brands = await world.call(`${portal}/api/brands`, { token, tenant });
    const brandId = String((brands.body['items'] as unknown as Json[])[0]?.['id']);
    const at = `${commerce}/api/brands/${brandId}`;
    await world.call(`${at}/signing-keys`, { token: decider, tenant, body: {} });
    configure = async (terms) => {
      const done = await world.call(`${at}/agentic-commerce`, {
        token: decider,
        tenant,
        method: 'PATCH',
        body: { protocol: 'ucp', active: true, ...terms },
      });
      assert.equal(done.status, 200, JSON.stringify(done.body));
    };
    base = `${commerce}/ucp/${brandId}`;
  });
  after(async () => {
    await platform[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  async function send(method: string, path: string, { body, signed = true, tampered }: Sent = {}) {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers: Record<string, string> = {
      'ucp-agent': `profile="${platform.url}/profile"`,
      ...(text === '' ? {} : { 'content-type': 'application/json' }),
      ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
    };
    const message = { method, url: `${base}${path}`, headers, body: Buffer.from(text) };
    const fields = ['ucp-agent', 'idempotency-key'];
    const signature = signed ? sign(message, { key, keyid: publicJwk(key).kid, algorithm: 'ES256', fields }) : {};
    const answer = await fetch(message.url, {
      method,
      headers: { ...headers, ...signature },
      ...(text === '' ? {} : { body: tampered ?? text }),
    });
    const told = await answer.text();
    return { status: answer.status, headers: answer.headers, text: told, body: JSON.parse(told) as Json };
  }

  const buying = () => ({
    line_items: [{ item: { id: store.variants.get('Stoneware mug') }, quantity: 2 }],
    buyer: { first_name: 'Ann', last_name: 'Bo', email: 'ann@example.com' },
    fulfillment: {
      methods: [{ type: 'shipping', line_item_ids: [], destinations: [berlin], selected_destination_id: 'home' }],
    },
  });

  test('while the door is closed there is nothing, and a live one refuses what is not signed or is not what was signed', async () => {
    const closed = await fetch(`${base}/.well-known/ucp`);
    assert.equal(closed.status, 404);
    await configure({ mode: 'live' });
    const unsigned = await send('POST', '/carts', { body: buying(), signed: false });
    assert.deepEqual([unsigned.status, unsigned.body['code']], [401, 'signature_missing']);
    const tampered = await send('POST', '/carts', { body: buying(), tampered: JSON.stringify({ line_items: [] }) });
    assert.deepEqual([tampered.status, tampered.body['code']], [400, 'digest_mismatch']);
    const profile = (await (await fetch(`${base}/.well-known/ucp`)).json()) as Json;
    assert.equal((profile['keys'] as unknown as Json[]).length, 1);
  });

  test('a live order is placed by a signed agent, and its answer is signed by a key of the profile', async () => {
    const made = await send('POST', '/checkout-sessions', { body: buying() });
    assert.equal(made.status, 201, made.text);
    const told = made.body as unknown as {
      id: string;
      fulfillment: { methods: { groups: { id: string; options: { id: string }[] }[] }[] };
    };
    const group = told.fulfillment.methods[0]?.groups[0];
    const { fulfillment, ...rest } = buying();
    const methods = fulfillment.methods.map((one) => ({
      ...one,
      groups: [{ id: group?.id, selected_option_id: group?.options[0]?.id }],
    }));
    const ready = await send('PUT', `/checkout-sessions/${told.id}`, { body: { ...rest, fulfillment: { methods } } });
    assert.equal(ready.body['status'], 'ready_for_complete', ready.text);
    const payment = { instruments: [{ id: 'bill', handler_id: 'manual', type: 'invoice' }] };
    const done = await send('POST', `/checkout-sessions/${told.id}/complete`, { body: { payment } });
    assert.deepEqual([done.status, done.body['status']], [200, 'completed'], done.text);
    const profile = (await (await fetch(`${base}/.well-known/ucp`)).json()) as { keys: object[] };
    const answer = { status: done.status, headers: Object.fromEntries(done.headers), body: Buffer.from(done.text) };
    const verdict = verify(answer, { keys: keySetOf(profile.keys), required: requiredOfAnswer(answer) });
    assert.ok(typeof verdict !== 'string', String(verdict));
    const order = await send('GET', `/orders/${String(done.body['order']?.['id'])}`);
    assert.equal(order.body['checkout_id'], told.id, order.text);
    const page = await fetch(String(order.body['permalink_url']));
    assert.equal(page.status, 200);
  });
});
