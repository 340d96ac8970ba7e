import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { createWorld, hireAgent, type Agent, type Json, type World } from '@steward/conformance/world';
import { openPlatform, type Platform, type Told } from './fixtures/platform.ts';
import { openSeller, type Seller } from './fixtures/seller.ts';

describe('an agent platform is told of the orders that it placed by ACP', () => {
  const stack = new AsyncDisposableStack();
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  let platform: Platform;
  let world: World;
  let seller: Seller;
  let owner: Agent;
  let key: string;
  let agentId: string;
  before(async () => {
    platform = stack.use(await openPlatform());
    world = stack.use(await createWorld({ WEBHOOKS_TO_LOOPBACK: 'allow', WEBHOOK_SECONDS: '2' }));
    seller = await openSeller(world, platform, 'acp');
    owner = stack.use(await hireAgent(world, 'owner@example.com', 'commerce/selling'));
    const { body: credential } = await seller.rest('POST', 'commerce', `/brands/${seller.brandId}/agent-credentials`, {
      profileUrl: 'https://platform.example/',
      mode: 'live',
      publicKey: String(publicKey.export({ format: 'jwk' }).x),
    });
    key = String(credential['key']);
    agentId = String(credential['agentId']);
  });
  after(async () => stack.disposeAsync());

  /** @param text canonical by RFC 8785 */
  const ask = async (method: string, path: string, text = ''): Promise<Json> => {
    const url = `${world.server.addresses.commerce}/acp/${seller.brandId}${path}`;
    const timestamp = new Date().toISOString();
    const repetition = method === 'GET' ? '' : crypto.randomUUID();
    const lines = [method, new URL(url).pathname, timestamp, repetition, text].join('\n');
    const answer = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'api-version': '2026-04-17',
        timestamp,
        signature: sign(null, Buffer.from(lines), privateKey).toString('base64url'),
        ...(repetition === '' ? {} : { 'idempotency-key': repetition }),
        ...(text === '' ? {} : { 'content-type': 'application/json' }),
      },
      ...(text === '' ? {} : { body: text }),
    });
    const said = (await answer.json()) as Json;
    assert.ok(answer.status < 300, JSON.stringify(said));
    return said;
  };
  const buy = async (): Promise<string> => {
    const wanted = `{"buyer":{"email":"ann@example.com","first_name":"Ann"},"capabilities":{},"currency":"usd","line_items":[{"id":"${seller.variantId}","quantity":2}]}`;
    const made = await ask('POST', '/checkout_sessions', wanted);
    const address =
      '{"city":"Springfield","country":"US","line_one":"1 Main St","name":"Ann","postal_code":"62701","state":"IL"}';
    const instrument = '{"credential":{"token":"none","type":"none"},"type":"invoice"}';
    const paid = `{"payment_data":{"billing_address":${address},"handler_id":"manual","instrument":${instrument}}}`;
    const done = await ask('POST', `/checkout_sessions/${String(made['id'])}/complete`, paid);
    assert.equal(String(done['status']), 'completed', JSON.stringify(done));
    return String(done['order']?.['id']);
  };
  const of = (orderId: string): Told[] => platform.told.filter(({ json }) => String(json['data']?.['id']) === orderId);
  const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
    for (let round = 0; !(await holds()); round += 1) {
      assert.ok(round < 1_500, `it never came to this: ${what}`);
      await sleep(10);
    }
  };
  /** As the protocol says it: `t=…,v1=…` of the bytes, at most five minutes ago. */
  const proven = ({ headers, body }: Told, secret: string): boolean => {
    const [, t = '', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['merchant-signature'] ?? '') ?? [];
    assert.ok(Math.abs(Date.now() / 1_000 - Number(t)) < 300);
    return createHmac('sha256', secret).update(`${t}.${body}`).digest('hex') === v1;
  };
  let secret: string;
  let webhookId: string;

  test('at the address that a person has approved, by a secret that is shown once, of everything in order', async () => {
    const early = await buy();
    const proposed = await owner.call('service_set_agent_webhook', { agent_id: agentId, url: platform.url });
    assert.equal(platform.told.length, 0, JSON.stringify(proposed));
    const set = await seller.rest('PUT', 'commerce', `/shopping-agents/${agentId}/webhook`, {
      url: `${platform.url}/`,
    });
    assert.deepEqual(
      [String(set.body['url']), String(set.body['status']), String(set.body['reason'])],
      [`${platform.url}/agentic_checkout/webhooks/order_events`, 'paused', 'secret_missing'],
    );
    webhookId = String(set.body['webhookId']);
    const orderId = await buy();
    const shown = await seller.rest('POST', 'portal', `/webhooks/${webhookId}/secret`, {});
    secret = String(shown.body['secret']);
    await until('it is told that the order was placed', () => of(orderId).length === 1);
    const { body: order } = { body: await ask('GET', `/orders/${orderId}`) };
    assert.deepEqual(of(orderId)[0]?.json, { type: 'order_create', data: order });
    await seller.rest('POST', 'commerce', `/orders/${orderId}/fulfilments`, { carrier: 'DHL', trackingNumber: 'T-1' });
    await until('it is told that it left', () => of(orderId).length === 2);
    await seller.rest('POST', 'commerce', `/orders/${orderId}/payments/received`, {});
    await until('it is told that it was paid', () => of(orderId).length === 3);
    await seller.rest('POST', 'commerce', `/orders/${orderId}/refunds`, {
      adjustment: { amount: '5.00', currency: 'USD' },
      reason: 'goodwill',
    });
    await until('it is told of all', () => of(orderId).length === 4);
    for (const one of of(orderId)) {
      assert.ok(proven(one, secret));
      assert.equal(proven({ ...one, body: `${one.body} ` }, secret), false);
      assert.equal(new URL(one.url).pathname, '/agentic_checkout/webhooks/order_events');
    }
    assert.deepEqual(
      of(orderId).map(({ json }) => [
        String(json['type']),
        ((json['data']?.['fulfillments'] ?? []) as unknown as Json[]).length > 0,
        ((json['data']?.['adjustments'] ?? []) as unknown as Json[]).length > 0,
      ]),
      [
        ['order_create', false, false],
        ['order_update', true, false],
        ['order_update', true, false],
        ['order_update', true, true],
      ],
    );
    assert.equal(of(early).length, 0, 'it was placed before anybody said where to tell of it');
  });

  test('again with the same bytes where its address failed, and by the secret before while a new one is brought to it', async () => {
    platform.answers = [503];
    const orderId = await buy();
    await until('its address fails', () => of(orderId).length === 1);
    const rotated = await seller.rest('POST', 'portal', `/webhooks/${webhookId}/secret`, { overlapHours: 1 });
    await until('it is told again', () => of(orderId).length === 2);
    const [one, again] = of(orderId);
    assert.ok(one !== undefined && again !== undefined);
    assert.deepEqual([again.body, again.headers['request-id']], [one.body, one.headers['request-id']]);
    assert.ok(proven(again, secret));
    assert.equal(proven(again, String(rotated.body['secret'])), false);
    const own = 'a-secret-of-the-platform';
    await seller.rest('PUT', 'portal', `/webhooks/${webhookId}/secret`, { secret: own, overlapHours: 0 });
    const next = await buy();
    await until('it is told', () => of(next).length === 1);
    const [told] = of(next);
    assert.ok(told !== undefined && proven(told, own));
    const { body } = await seller.rest('GET', 'portal', `/webhooks/${webhookId}`);
    assert.ok(!JSON.stringify(body).includes(own));
    assert.ok(!world.server.output().includes(own));
  });

  test('of nothing once it is shut out; and no address inside is taken', async () => {
    const orderId = await buy();
    await until('it is told', () => of(orderId).length === 1);
    platform.answers = [503];
    await seller.rest('POST', 'commerce', `/orders/${orderId}/payments/received`, {});
    await until('its address fails', () => of(orderId).length === 2);
    await seller.rest('POST', 'commerce', `/shopping-agents/${agentId}/shut-out`, {});
    await until('what waited is withheld', async () => {
      const { body } = await seller.rest('GET', 'portal', `/webhooks/${webhookId}/deliveries`);
      return String((body['items'] as unknown as Json[])[0]?.['error']) === 'agent_shut_out';
    });
    assert.equal(of(orderId).length, 2);
    for (const url of [
      'https://10.0.0.1',
      'https://169.254.169.254',
      'http://example.com',
      'https://user:x@example.com',
    ])
      await assert.rejects(
        seller.rest('PUT', 'commerce', `/shopping-agents/${agentId}/webhook`, { url }),
        /invalid_request/,
      );
    const audit = await world.command(['audit', 'verify']);
    assert.equal(audit.code, 0, audit.out);
  });
});
