import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, hash, verify } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Answer, createWorld, hireAgent, type Agent, type Json, type World } from '@steward/conformance/world';
import { publicJwk, sign } from '@steward/http-signatures';
import { newId } from '@steward/kernel';
import { startHttps } from '@steward/testing';

describe('a shopping agent at the door of a brand', () => {
  const stack = new AsyncDisposableStack();
  let world: World;
  let agent: Agent;
  /** The same, with the tools of selling. */
  let seller: Agent;
  let approver: string;
  let brandId: string;
  let variantId: string;
  let profile: string;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  before(async () => {
    const platform = stack.use(
      await startHttps((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const version = '2026-08-25';
        const names = ['checkout', 'cart', 'order', 'catalog.search', 'discount', 'fulfillment'];
        const capabilities = Object.fromEntries(names.map((name) => [`dev.ucp.shopping.${name}`, [{ version }]]));
        response.end(JSON.stringify({ ucp: { version, capabilities }, keys: [publicJwk(privateKey)] }));
      }),
    );
    profile = `${platform.url}/.well-known/ucp`;
    world = stack.use(await createWorld({ AGENT_PROFILES_FROM_LOOPBACK: 'allow' }));
    agent = stack.use(await hireAgent(world, 'owner@example.com', 'commerce'));
    seller = stack.use(await hireAgent(world, 'owner@example.com', 'commerce/selling'));
    approver = await world.token({ user: 'owner@example.com', approver: true });
    const { body } = await world.call(`${world.server.addresses.portal}/api/brands`, {
      token: agent.token,
      tenant: agent.tenant,
    });
    brandId = String((body['items'] as unknown as Json[])[0]?.['id']);
    const { products } = await agent.call('service_create_products', {
      products: [
        {
          title: 'Gift card',
          status: 'active',
          brand_ids: [brandId],
          variants: [{ prices: [{ amount: '25.00', currency: 'USD' }], requires_shipping: false }],
        },
      ],
    });
    const [product] = products as unknown as Json[];
    const whole = await agent.call('service_get_product', { product_id: String(product?.['id']) });
    const variants = whole['product']?.['variants'] as unknown as Json[] | undefined;
    variantId = String(variants?.[0]?.['id']);
  });
  after(async () => stack.disposeAsync());

  const decide = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.call(`${world.server.addresses.commerce}/api${path}`, {
      token: approver,
      tenant: agent.tenant,
      method,
      ...(body === undefined ? {} : { body }),
    });
  const base = (): string => `${world.server.addresses.commerce}/ucp/${brandId}`;
  const ask = async (
    method: string,
    path: string,
    body?: object,
    signed = true,
  ): Promise<Answer & { readonly text: string }> => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const message = {
      method,
      url: `${base()}${path}`,
      headers: {
        ...(text === '' ? {} : { 'content-type': 'application/json' }),
        'ucp-agent': `profile="${profile}"`,
        ...(method === 'GET' ? {} : { 'idempotency-key': newId() }),
      },
      body: Buffer.from(text),
    };
    const signature = signed
      ? sign(message, {
          key: privateKey,
          keyid: publicJwk(privateKey).kid,
          algorithm: 'ES256',
          fields: ['ucp-agent', 'idempotency-key'],
        })
      : {};
    const answer = await fetch(message.url, {
      method,
      headers: { ...message.headers, ...signature },
      ...(text === '' ? {} : { body: text }),
    });
    const said = await answer.text();
    return { status: answer.status, headers: answer.headers, body: JSON.parse(said) as Json, text: said };
  };

  /** The answer is signed by a published key of the brand: read by RFC 9421 here, and not by what signed it. */
  const provesItself = async ({ status, headers, text }: Answer & { readonly text: string }): Promise<void> => {
    const [, named = '', params = ''] = /^(\w+)=(.*)$/.exec(headers.get('signature-input') ?? '') ?? [];
    const fields = ['"@status"', '"content-digest"', '"content-type"'];
    assert.ok(
      fields.every((one) => params.includes(one)),
      params,
    );
    const value = (field: string): string =>
      field === '"@status"' ? String(status) : (headers.get(field.slice(1, -1)) ?? '');
    const covered = (/^\(([^)]*)\)/.exec(params)?.[1] ?? '').split(' ');
    const signed = [...covered.map((field) => `${field}: ${value(field)}`), `"@signature-params": ${params}`].join(
      '\n',
    );
    const { keys } = (await (await fetch(`${base()}/.well-known/ucp`)).json()) as { keys: JsonWebKey[] };
    const key = createPublicKey({ key: keys[0] as never, format: 'jwk' });
    const [, bytes = ''] = new RegExp(`^${named}=:(.*):$`).exec(headers.get('signature') ?? '') ?? [];
    const proof = Buffer.from(bytes, 'base64');
    assert.ok(verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, proof), signed);
    assert.equal(headers.get('content-digest'), `sha-256=:${hash('sha256', text, 'base64')}:`);
  };

  test('finds nothing until the brand has a key and a person opened the door', async () => {
    assert.equal((await fetch(`${base()}/.well-known/ucp`)).status, 404);
    const asked = { protocol: 'ucp', active: true, mode: 'live' };
    const early = await decide('PATCH', `/brands/${brandId}/agentic-commerce`, asked);
    assert.deepEqual([early.status, String(early.body['code'])], [409, 'signing_key_missing']);
    const { key } = await seller.call('service_create_signing_key', { brand_id: brandId });
    // It waits for a person, who is shown that door alone: the other one would look as if it were closed by it.
    const proposed = async (protocol: string) => {
      const terms = { brand_id: brandId, ...asked, protocol };
      const { doors } = await seller.call('service_configure_agentic_commerce', terms);
      return (doors as unknown as Json[]).map((one) => [String(one['protocol']), one['active']]);
    };
    assert.deepEqual(await proposed('ucp'), [['ucp', true]]);
    assert.equal((await fetch(`${base()}/.well-known/ucp`)).status, 404);
    assert.equal((await decide('PATCH', `/brands/${brandId}/agentic-commerce`, asked)).status, 200);
    assert.deepEqual(await proposed('acp'), [['acp', true]]);
    const found = (await (await fetch(`${base()}/.well-known/ucp`)).json()) as Json;
    assert.deepEqual(found['keys'], [key?.['jwk']]);
    assert.deepEqual(found['signing_keys'], found['keys']);
  });

  test('buys by signed requests alone, and its order is one of the shop', async () => {
    const lines = { line_items: [{ item: { id: variantId }, quantity: 2 }] };
    const unsigned = await ask('POST', '/checkout-sessions', lines, false);
    assert.deepEqual([unsigned.status, String(unsigned.body['code'])], [401, 'signature_missing']);
    const made = await ask('POST', '/checkout-sessions', {
      ...lines,
      buyer: { first_name: 'Ann', last_name: 'Bo', email: 'ann@example.com' },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { items } = await seller.call('service_list_agents_of_buyers', {});
    assert.deepEqual(
      (items as unknown as Json[]).map((one) => [one['profile_url'], one['verdict']]),
      [[profile, 'signed']],
    );
    const looked = await ask('GET', `/checkout-sessions/${String(made.body['id'])}`);
    assert.equal(String(looked.body['id']), String(made.body['id']));
    const billing_address = {
      street_address: '1 Main St',
      address_locality: 'Springfield',
      address_region: 'IL',
      postal_code: '62701',
      address_country: 'US',
    };
    const instrument = {
      id: 'i',
      handler_id: 'manual',
      type: 'invoice',
      credential: { type: 'none' },
      billing_address,
    };
    const done = await ask('POST', `/checkout-sessions/${String(made.body['id'])}/complete`, {
      payment: { instruments: [instrument] },
    });
    assert.equal(String(done.body['status']), 'completed', JSON.stringify(done.body));
    await provesItself(done);
    await provesItself(await ask('GET', `/orders/${String(done.body['order']?.['id'])}`));
    const search = await ask('POST', '/catalog/search', { query: 'gift' });
    assert.equal(search.status, 200, JSON.stringify(search.body));
    await seller.call('service_shut_out_agent', { agent_id: String((items as unknown as Json[])[0]?.['id']) });
    const refused = await ask('GET', `/checkout-sessions/${String(made.body['id'])}`);
    assert.deepEqual([refused.status, String(refused.body['code'])], [403, 'profile_not_trusted']);
    const audit = await world.command(['audit', 'verify']);
    assert.equal(audit.code, 0);
  });
});
