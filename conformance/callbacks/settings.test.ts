import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, type Json, type World } from '../world/index.ts';

const records = (json: Json | undefined): Record<string, Json>[] => (json ?? []) as unknown as Record<string, Json>[];

describe('settings of a connection', () => {
  let world: World;
  let ask: (method: string, path: string, body?: object) => Promise<{ readonly status: number; readonly body: Json }>;
  before(async () => {
    world = await createWorld();
    const { tenant } = await world.signUp('connects@example.com');
    const token = await world.token({ user: 'connects@example.com', approver: true });
    ask = async (method, path, body) =>
      world.call(`${world.server.addresses.portal}/api${path}`, {
        token,
        tenant,
        method,
        ...(body === undefined ? {} : { body }),
      });
  });
  after(async () => world[Symbol.asyncDispose]());

  const made = async (wish: object): Promise<Json> => {
    const { status, body } = await ask('POST', '/connections', { live: false, name: 'Ours', ...wish });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const give = async (one: Json, body: object) => ask('PUT', `/connections/${String(one['id'])}/secrets`, body);
  const pointerOf = ({ status, body }: { readonly status: number; readonly body: Json }): string =>
    `${status} ${String(records(body['errors'])[0]?.['pointer'])}`;

  test('are called optional where a connection takes something without them, and are missing where it does not', async () => {
    const { body } = await ask('GET', '/providers');
    for (const { receiver, provider, settings = {} } of records(body['items'])) {
      const one = await made({ receiver, provider });
      const needed = Object.entries(settings).filter(([, words]) => !String(words).startsWith('Optional. '));
      assert.deepEqual(
        one['missingSettings'],
        needed.map(([name]) => name),
        `${String(receiver)} ${String(provider)}`,
      );
    }
  });

  test('are given once the address is registered, and a connection is not active before', async () => {
    const one = await made({ receiver: 'accounting.wallet_payments', provider: 'paypal' });
    const secrets = { clientId: 'client', clientSecret: 'secret' };
    const half = await give(one, { secrets });
    assert.deepEqual(
      [half.status, String(half.body['status']), half.body['missingSecrets'], half.body['missingSettings']],
      [200, 'awaiting_secrets', [], ['webhook_id']],
    );
    const whole = await give(one, { settings: { webhook_id: '5GP028458E2496506' } });
    assert.deepEqual(
      [whole.status, String(whole.body['status']), whole.body['missingSettings'], whole.body['settings']],
      [200, 'active', [], { webhook_id: '5GP028458E2496506' }],
    );
    assert.match((await world.command(['audit', 'verify'])).out, /every chain whole/);
  });

  test('are removed by null: the unsigned sample of an address is answered as long as it is asked for', async () => {
    const one = await made({
      receiver: 'accounting.tax_forms',
      provider: 'taxbandits',
      settings: { client_id: 'client', sample: 'accept' },
    });
    await give(one, { secrets: { signing: 'ab'.repeat(16), userToken: 'token' } });
    const sample = async () => (await fetch(String(one['address']), { method: 'POST', body: '{}' })).status;
    assert.equal(await sample(), 200);
    const { body } = await give(one, { settings: { sample: null } });
    assert.deepEqual([body['settings'], String(body['status'])], [{ client_id: 'client' }, 'active']);
    assert.equal(await sample(), 400);
  });

  test('are refused where they are unknown, cannot be done without, or say whose account it is', async () => {
    const one = await made({
      receiver: 'accounting.gateway_payments',
      provider: 'braintree',
      settings: { public_key: 'first', merchant_id: 'ours' },
    });
    assert.equal(pointerOf(await give(one, {})), '400 /secrets');
    assert.equal(pointerOf(await give(one, { settings: { colour: 'red' } })), '400 /settings/colour');
    assert.equal(pointerOf(await give(one, { settings: { public_key: null } })), '400 /settings/public_key');
    assert.equal(pointerOf(await give(one, { settings: { merchant_id: 'theirs' } })), '400 /settings/merchant_id');
    const rotated = await give(one, {
      secrets: { signing: 'ab'.repeat(16) },
      settings: { public_key: 'second', merchant_id: 'ours' },
    });
    assert.deepEqual(
      [rotated.status, rotated.body['settings']],
      [200, { public_key: 'second', merchant_id: 'ours' }],
      JSON.stringify(rotated.body),
    );
  });

  test('and keys of a shop’s card payments are of its mode, and no secret key is where pages of buyers are told it', async () => {
    const shop = { receiver: 'commerce.card_payments', provider: 'stripe' };
    for (const publishableKey of ['sk_test_abc', 'rk_test_abc', 'pk_live_abc', 'abc'])
      assert.equal(
        pointerOf(
          await ask('POST', '/connections', { ...shop, live: false, name: 'Ours', settings: { publishableKey } }),
        ),
        '400 /settings/publishableKey',
        publishableKey,
      );
    const one = await made({ ...shop, settings: { publishableKey: 'pk_test_abc' } });
    const signing = `whsec_${'a'.repeat(32)}`;
    for (const apiKey of ['sk_live_abc', 'rk_live_abc', 'pk_test_abc'])
      assert.equal(pointerOf(await give(one, { secrets: { signing, apiKey } })), '400 /secrets/apiKey', apiKey);
    assert.equal(
      pointerOf(await give(one, { settings: { publishableKey: 'sk_test_abc' } })),
      '400 /settings/publishableKey',
    );
    const given = await give(one, { secrets: { signing, apiKey: 'rk_test_abc' } });
    assert.deepEqual([given.status, String(given.body['status'])], [200, 'active'], JSON.stringify(given.body));
  });
});
