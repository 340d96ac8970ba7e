import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Agent, type Answer, createWorld, hireAgent, type Json, type World } from '@steward/conformance/world';

describe('an agent platform at the door of a brand', () => {
  const stack = new AsyncDisposableStack();
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  let world: World;
  let agent: Agent;
  let seller: Agent;
  let brandId: string;
  let variantId: string;
  before(async () => {
    world = stack.use(await createWorld());
    agent = stack.use(await hireAgent(world, 'owner@example.com', 'commerce'));
    seller = stack.use(await hireAgent(world, 'owner@example.com', 'commerce/selling'));
    const { body } = await world.call(`${world.server.addresses.portal}/api/brands`, {
      token: agent.token,
      tenant: agent.tenant,
    });
    brandId = String(
      (body as unknown as { brands?: Json[]; items?: Json[] }).brands?.[0]?.['id'] ??
        body['items']?.[0 as never]?.['id'],
    );
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
    const whole = await agent.call('service_get_product', {
      product_id: String((products as unknown as Json[])[0]?.['id']),
    });
    const variants = whole['product']?.['variants'] as unknown as Json[] | undefined;
    variantId = String(variants?.[0]?.['id']);
    await seller.call('service_create_signing_key', { brand_id: brandId });
    const opened = await world.call(`${world.server.addresses.commerce}/api/brands/${brandId}/agentic-commerce`, {
      token: await world.token({ user: 'owner@example.com', approver: true }),
      tenant: agent.tenant,
      method: 'PATCH',
      body: { protocol: 'acp', active: true, mode: 'live' },
    });
    assert.equal(opened.status, 200, JSON.stringify(opened.body));
  });
  after(async () => stack.disposeAsync());

  /** @param text canonical by RFC 8785: members in order, nothing between them */
  const ask = async (key: string, method: string, path: string, text = '', signed = true): Promise<Answer> => {
    const url = `${world.server.addresses.commerce}/acp/${brandId}${path}`;
    const timestamp = new Date().toISOString();
    const repetition = method === 'GET' ? '' : crypto.randomUUID();
    const lines = [method, new URL(url).pathname, timestamp, repetition, text].join('\n');
    const answer = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'api-version': '2026-04-17',
        timestamp,
        ...(signed ? { signature: sign(null, Buffer.from(lines), privateKey).toString('base64url') } : {}),
        ...(repetition === '' ? {} : { 'idempotency-key': repetition }),
        ...(text === '' ? {} : { 'content-type': 'application/json' }),
      },
      ...(text === '' ? {} : { body: text }),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Json };
  };

  /** As a person who may decide. */
  const issue = async (profileUrl: string, key: string): Promise<Json> => {
    const url = `${world.server.addresses.commerce}/api/brands/${brandId}/agent-credentials`;
    const token = await world.token({ user: 'owner@example.com', approver: true });
    const body = { profileUrl, mode: 'live', publicKey: key };
    const issued = await world.call(url, { token, tenant: agent.tenant, body });
    assert.equal(issued.status, 201, JSON.stringify(issued.body));
    return issued.body;
  };

  test('has a live key of its own from a person alone: who signs as it would see what it bought', async () => {
    const mine = String(publicKey.export({ format: 'jwk' }).x);
    const forged = String(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x);
    const asked = { brand_id: brandId, profile_url: 'https://known.example/', mode: 'live', public_key: mine };
    await assert.rejects(seller.call('service_issue_agent_credential', asked), /not_human/);
    await issue(asked.profile_url, mine);
    // Of the key that a person has seen, an assistant may issue more.
    await seller.call('service_issue_agent_credential', asked);
    for (const other of [
      { ...asked, public_key: forged },
      { ...asked, profile_url: 'https://another.example/', public_key: forged },
    ])
      await assert.rejects(seller.call('service_issue_agent_credential', other), /not_human/);
    const plain = await world.call(`${world.server.addresses.commerce}/api/brands/${brandId}/agent-credentials`, {
      token: await world.token({ user: 'owner@example.com' }),
      tenant: agent.tenant,
      body: { profileUrl: asked.profile_url, mode: 'live', publicKey: forged },
    });
    assert.deepEqual([plain.status, String(plain.body['code'])], [403, 'client_not_approver']);
    const { credentials } = await seller.call('service_list_agent_credentials', { brand_id: brandId });
    assert.equal((credentials as unknown as Json[]).length, 2);
  });

  test('buys live with a key that the brand issued and by signed requests, and its order is one of the shop', async () => {
    const credential = await issue('https://platform.example/', String(publicKey.export({ format: 'jwk' }).x));
    const key = String(credential['key']);
    const wanted = `{"buyer":{"email":"ann@example.com","first_name":"Ann"},"capabilities":{},"currency":"usd","line_items":[{"id":"${variantId}","quantity":2}]}`;
    const brand = `${world.server.addresses.portal}/api/brands/${brandId}`;
    const person = { token: await world.token({ user: 'owner@example.com' }), tenant: agent.tenant };
    const page = 'https://shop.example/returns?%22%3E';
    const typed = 'https://shop.example/returns?">';
    const led = await world.call(brand, { ...person, method: 'PATCH', body: { links: { returns: typed, faq: page } } });
    assert.deepEqual([led.status, led.body['links']], [200, { returns: page, faq: page }]);
    const less = await world.call(brand, { ...person, method: 'PATCH', body: { links: { faq: null } } });
    assert.deepEqual(less.body['links'], { returns: page }, 'null takes one away, and what is left out stays');
    for (const address of ['http://shop.example/', 'javascript:alert(1)', 'https://a:b@shop.example/', 'https://x y/'])
      assert.equal(
        (await world.call(brand, { ...person, method: 'PATCH', body: { links: { terms: address } } })).status,
        400,
        address,
      );
    const unsigned = await ask(key, 'POST', '/checkout_sessions', wanted, false);
    assert.deepEqual([unsigned.status, String(unsigned.body['code'])], [401, 'signature_missing']);
    const made = await ask(key, 'POST', '/checkout_sessions', wanted);
    assert.deepEqual([made.status, String(made.body['status'])], [201, 'ready_for_payment'], JSON.stringify(made.body));
    assert.deepEqual(
      made.body['links'],
      [{ type: 'return_policy', url: page }],
      'buyers are led to pages of the brand',
    );
    const handlers = made.body['capabilities']?.['payment' as never]?.['handlers'] as unknown as Json[];
    assert.deepEqual(
      handlers.map((one) => String(one['id'])),
      ['manual'],
      'nothing pays for tests on a live door',
    );
    const called = async (id: string, signed: string) => {
      const timestamp = new Date().toISOString();
      const meta = { api_version: '2026-04-17', timestamp };
      // Members in the order of RFC 8785, without the signature itself.
      const text = JSON.stringify({ arguments: { id: signed, meta }, name: 'get_checkout_session' });
      const at = `${world.server.addresses.commerce}/acp/${brandId}/mcp`;
      const lines = ['POST', new URL(at).pathname, timestamp, '', text].join('\n');
      const signature = sign(null, Buffer.from(lines), privateKey).toString('base64url');
      const params = { name: 'get_checkout_session', arguments: { id, meta: { ...meta, signature } } };
      const answer = await fetch(at, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Json };
    };
    const shown = await called(String(made.body['id']), String(made.body['id']));
    assert.equal(shown.body['result']?.['id' as never], made.body['id'], JSON.stringify(shown.body));
    const forged = await called(String(made.body['id']), crypto.randomUUID());
    assert.deepEqual(
      [forged.status, forged.body['error']?.['data' as never]?.['code']],
      [401, 'signature_invalid'],
      JSON.stringify(forged.body),
    );
    const [method] = (handlers[0]?.['config']?.['methods' as never] ?? []) as unknown as string[];
    const paid = `{"payment_data":{"billing_address":{"city":"Springfield","country":"US","line_one":"1 Main St","name":"Ann","postal_code":"62701","state":"IL"},"handler_id":"manual","instrument":{"credential":{"token":"none","type":"none"},"type":"${method}"}}}`;
    const done = await ask(key, 'POST', `/checkout_sessions/${String(made.body['id'])}/complete`, paid);
    assert.deepEqual([done.status, String(done.body['status'])], [200, 'completed'], JSON.stringify(done.body));
    const orderId = String((done.body['order'] as unknown as Json)['id']);
    const order = await ask(key, 'GET', `/orders/${orderId}`);
    assert.equal(String(order.body['checkout_session_id']), String(made.body['id']));
    const ours = await world.call(`${world.server.addresses.commerce}/api/orders/${orderId}`, {
      token: agent.token,
      tenant: agent.tenant,
    });
    assert.equal(ours.status, 200, JSON.stringify(ours.body));
    const { permalink_url: where } = done.body['order'] as unknown as { permalink_url: string };
    assert.match(
      await (await fetch(where)).text(),
      /<a href="https:\/\/shop.example\/returns\?%22%3E" rel="noreferrer">/,
    );
    const { items } = await seller.call('service_list_agents_of_buyers', {});
    assert.deepEqual(
      (items as unknown as Json[])
        .filter((one) => String(one['verdict']) !== 'unseen')
        .map((one) => [one['profile_url'], one['verdict'], one['key_id']]),
      [['https://platform.example/', 'bearer', credential['id']]],
    );
    await seller.call('service_revoke_agent_credential', { credential_id: String(credential['id']) });
    const refused = await ask(key, 'GET', `/orders/${orderId}`);
    assert.deepEqual([refused.status, String(refused.body['code'])], [401, 'unauthorized']);
    const audit = await world.command(['audit', 'verify']);
    assert.equal(audit.code, 0, JSON.stringify(audit));
  });
});
