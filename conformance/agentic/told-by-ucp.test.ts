import assert from 'node:assert/strict';
import { createPublicKey, hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { createWorld, type Json, type World } from '@steward/conformance/world';
import { newId } from '@steward/kernel';
import { createVerifier, httpbis } from 'http-message-signatures';
import { newKey, openPlatform, type Platform, type Told } from './fixtures/platform.ts';
import { openSeller, type Seller } from './fixtures/seller.ts';

describe('a shopping agent is told of the orders that it placed by UCP', () => {
  const stack = new AsyncDisposableStack();
  let platform: Platform;
  let world: World;
  let seller: Seller;
  let rest: Seller['rest'];
  before(async () => {
    platform = stack.use(await openPlatform());
    platform.wanted.set('/agent', `${platform.url}/hooks/orders?shop=1`);
    platform.wanted.set('/inside', 'https://169.254.169.254/latest/meta-data?a=1');
    world = stack.use(
      await createWorld({ AGENT_PROFILES_FROM_LOOPBACK: 'allow', WEBHOOKS_TO_LOOPBACK: 'allow', WEBHOOK_SECONDS: '2' }),
    );
    seller = await openSeller(world, platform);
    ({ rest } = seller);
  });
  after(async () => stack.disposeAsync());

  const of = (orderId: string): Told[] => platform.told.filter(({ json }) => String(json['id']) === orderId);
  const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
    for (let round = 0; !(await holds()); round += 1) {
      assert.ok(round < 1_500, `it never came to this: ${what}`);
      await sleep(10);
    }
  };
  const agents = async (): Promise<readonly Json[]> =>
    (await rest('GET', 'commerce', '/shopping-agents')).body['items'] as unknown as Json[];
  /** Of the webhook of an agent, the newest first. */
  const deliveriesTo = async (profile = '/agent'): Promise<readonly Json[]> => {
    const { body } = await rest('GET', 'portal', '/webhooks');
    const named = (await agents()).find((one) => String(one['profileUrl']) === `${platform.url}${profile}`);
    const hook = (body['items'] as unknown as Json[]).find((one) => one['agentId'] === named?.['id']);
    if (hook === undefined) return [];
    const answer = await rest('GET', 'portal', `/webhooks/${String(hook['id'])}/deliveries`);
    return answer.body['items'] as unknown as Json[];
  };
  /** By another implementation, and the keys that the brand publishes where the request says that its sender is described. */
  const proven = async ({ url, headers, body }: Told): Promise<boolean> => {
    const [, profileUrl = ''] = /^profile="([^"]+)"$/.exec(headers['ucp-agent'] ?? '') ?? [];
    assert.equal(profileUrl, `${seller.base()}/.well-known/ucp`);
    assert.equal(headers['content-digest'], `sha-256=:${hash('sha256', body, 'base64')}:`);
    for (const covered of [
      '@method',
      '@authority',
      '@path',
      '@query',
      'content-digest',
      'content-type',
      'ucp-agent',
      'idempotency-key',
      'webhook-id',
      'webhook-timestamp',
    ])
      assert.ok(headers['signature-input']?.includes(`"${covered}"`), covered);
    const { keys } = (await (await fetch(profileUrl)).json()) as {
      keys: { kid: string; kty: string }[];
    };
    const keyLookup = async ({ keyid }: { keyid?: unknown }) => {
      const jwk = keys.find(({ kid }) => kid === keyid);
      if (jwk === undefined) return null;
      const key = createPublicKey({ key: jwk, format: 'jwk' });
      return { id: jwk.kid, algs: ['ecdsa-p256-sha256'] as const, verify: createVerifier(key, 'ecdsa-p256-sha256') };
    };
    return (await httpbis.verifyMessage({ keyLookup } as never, { method: 'POST', url, headers })) === true;
  };

  test('of everything that becomes of one, in order, as it would be answered, signed by the brand', async () => {
    const orderId = await seller.buy();
    await until('it is told that the order was placed', () => of(orderId).length === 1);
    const shown = await seller.ask('GET', `/orders/${orderId}`);
    assert.deepEqual(of(orderId)[0]?.json, shown);
    const sent = { carrier: 'DHL', trackingNumber: 'T-1', trackingUrl: 'https://dhl.example/T-1' };
    await rest('POST', 'commerce', `/orders/${orderId}/fulfilments`, sent);
    await until('it is told that the order left', () => of(orderId).length === 2);
    await rest('POST', 'commerce', `/orders/${orderId}/payments/received`, {});
    await until('it is told that the order was paid', () => of(orderId).length === 3);
    await rest('POST', 'commerce', `/orders/${orderId}/refunds`, {
      adjustment: { amount: '5.00', currency: 'USD' },
      reason: 'goodwill',
    });
    await until('it is told of the refund', () => of(orderId).length === 4);
    const events = of(orderId).map(({ json: order }) => [
      ((order['fulfillment']?.['events'] ?? []) as unknown as Json[]).length,
      ((order['adjustments'] ?? []) as unknown as Json[]).length,
    ]);
    assert.deepEqual(events, [
      [0, 0],
      [1, 0],
      [1, 0],
      [1, 1],
    ]);
    for (const one of of(orderId)) assert.ok(await proven(one));
    const [first] = of(orderId);
    assert.ok(first !== undefined);
    assert.equal(await proven({ ...first, url: `${first.url}&more=1` }), false);
    assert.equal(await proven({ ...first, headers: { ...first.headers, 'webhook-id': newId() } }), false);
    assert.equal(new Set(of(orderId).map(({ headers }) => headers['webhook-id'])).size, 4);
  });

  test('of what is taken back before it is paid as a credit, and of money as a refund', async () => {
    const orderId = await seller.buy();
    const goodwill = { adjustment: { amount: '5.00', currency: 'USD' }, reason: 'goodwill' };
    await rest('POST', 'commerce', `/orders/${orderId}/refunds`, goodwill);
    await until('it is told of the credit', () => of(orderId).length === 2);
    await rest('POST', 'commerce', `/orders/${orderId}/payments/received`, {});
    await rest('POST', 'commerce', `/orders/${orderId}/refunds`, goodwill);
    await until('it is told of the refund', () => of(orderId).length === 4);
    const adjustments = of(orderId).at(-1)?.json['adjustments'] as unknown as readonly {
      readonly type: string;
      readonly totals: readonly { readonly amount: number }[];
    }[];
    assert.deepEqual(
      adjustments.map(({ type, totals }) => [type, totals[0]?.amount]),
      [
        ['credit', -500],
        ['refund', -500],
      ],
    );
  });

  test('again with the same id, time and bytes where its address failed, and not again where it refused', async () => {
    platform.answers = [503];
    const orderId = await seller.buy();
    await until('it is told twice', () => of(orderId).length === 2);
    const [one, again] = of(orderId);
    const kept = ({ headers, body }: Told) => [
      headers['webhook-id'],
      headers['idempotency-key'],
      headers['webhook-timestamp'],
      body,
    ];
    assert.ok(one !== undefined && again !== undefined);
    assert.deepEqual(kept(one), kept(again));
    assert.ok(await proven(again));
    platform.answers = [422];
    const refused = await seller.buy();
    await until(
      'the refusal is noted',
      async () => (await deliveriesTo())[0]?.['error'] === ('http_422' as unknown as Json),
    );
    assert.deepEqual(
      (await deliveriesTo()).slice(0, 2).map((row) => [String(row['state']), Number(row['attempts'])]),
      [
        ['failed', 1],
        ['delivered', 2],
      ],
    );
    assert.equal(of(refused).length, 1);
    const [{ sequence, webhookId } = {} as Json] = await deliveriesTo();
    await rest('POST', 'portal', `/webhooks/${String(webhookId)}/replay`, { sequence });
    await until('it is told again by the owner', () => of(refused).length === 2);
    const [first, replayed] = of(refused);
    assert.ok(first !== undefined && replayed !== undefined);
    assert.deepEqual(kept(replayed), kept(first));
  });

  test('at the address that its profile names by then, by the key that the brand signs with by then, and at none inside', async () => {
    platform.wanted.set('/agent', `${platform.url}/elsewhere?shop=2`);
    // A profile is known for a minute, unless a request is signed by a key that it did not have.
    platform.key = newKey();
    await sleep(1_100);
    await rest('POST', 'commerce', `/brands/${seller.brandId}/signing-keys/rotate`, {});
    const orderId = await seller.buy();
    await until('it is told', () => of(orderId).length === 1);
    const [one] = of(orderId);
    assert.ok(one !== undefined && (await proven(one)));
    assert.equal(one.url, platform.wanted.get('/agent'));
    await seller.buy('/inside');
    await until(
      'the refusal is noted',
      async () => String((await deliveriesTo('/inside'))[0]?.['error']) === 'address_not_public',
    );
  });

  test('of nothing while it is shut out, or its door is closed or of the other mode', async () => {
    const goodwill = { adjustment: { amount: '1.00', currency: 'USD' }, reason: 'goodwill' };
    const orderId = await seller.buy();
    await until('it is told', () => of(orderId).length === 1);
    const agentId = String((await agents())[0]?.['id']);
    const handled = async (): Promise<void> =>
      until('all events are handled', async () => {
        const { out } = await world.command(['bus', 'status', '--json']);
        const consumers = JSON.parse(out) as { consumer: string; waiting: number; behind: number }[];
        return consumers.every(({ waiting, behind }) => waiting + behind === 0);
      });
    await rest('POST', 'commerce', `/shopping-agents/${agentId}/shut-out`, {});
    await rest('POST', 'commerce', `/orders/${orderId}/payments/received`, {});
    await handled();
    await rest('POST', 'commerce', `/shopping-agents/${agentId}/readmit`, {});
    await seller.configure({ active: false });
    await rest('POST', 'commerce', `/orders/${orderId}/refunds`, goodwill);
    await handled();
    await seller.configure({ active: true, mode: 'test' });
    await rest('POST', 'commerce', `/orders/${orderId}/refunds`, goodwill);
    await handled();
    await seller.configure({ active: true, mode: 'live' });
    assert.equal(of(orderId).length, 1);
    await rest('POST', 'commerce', `/orders/${orderId}/refunds`, goodwill);
    await until('it is told again', () => of(orderId).length === 2);
    platform.answers = [503];
    await rest('POST', 'commerce', `/orders/${orderId}/fulfilments`, {});
    await until('its address fails', () => of(orderId).length === 3);
    await rest('POST', 'commerce', `/shopping-agents/${agentId}/shut-out`, {});
    await until(
      'what waited is withheld',
      async () => String((await deliveriesTo())[0]?.['error']) === 'agent_shut_out',
    );
    assert.equal(of(orderId).length, 3);
    const { body: order } = await rest('GET', 'commerce', `/orders/${orderId}`);
    await rest('POST', 'commerce', `/contacts/${String(order['contactId'])}/erasure`, {});
    assert.deepEqual(
      (await deliveriesTo()).filter(({ subject }) => String(subject) === orderId),
      [],
      'what it was told goes with the person',
    );
    const audit = await world.command(['audit', 'verify']);
    assert.equal(audit.code, 0, audit.out);
  });
});
