import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { ApiVersion, shopifyApi } from '@shopify/shopify-api';
import { BraintreeGateway, Environment, WebhookNotification } from 'braintree';
import { Stripe } from 'stripe';
import { Problem } from '@steward/kernel';
import { address, arrivedOf, now } from '../fixtures/genuine.ts';
import { keptHeaders } from '../intake/headers.ts';
import type { Adapter, AdapterPorts, Arrived, Credentials } from './adapter.ts';
import { adyen } from './adyen.ts';
import { allAdapters } from './all.ts';
import { authorizenet } from './authorizenet.ts';
import { braintree } from './braintree.ts';
import { easypost } from './easypost.ts';
import { shipstation } from './shipstation.ts';
import { shopify } from './shopify.ts';
import { square } from './square.ts';
import { stripe } from './stripe.ts';
import { taxbandits } from './taxbandits.ts';

const ports: AdapterPorts = { fetchText: () => Promise.reject(new Error('nothing is fetched')) };
const by = (secret: string, settings: Readonly<Record<string, string>> = {}): Credentials => ({ secret, settings });

/** What was said of each adapter's requests: each must have been said. */
const said = new Map<string, Set<boolean>>();

/** Whether it is genuine; a Problem is a no. */
async function verifies(adapter: Adapter, arrived: Arrived, credentials: Credentials, of = ports): Promise<boolean> {
  let genuine = false;
  try {
    genuine = await adapter.verify(arrived, credentials, of);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  said.getOrInsertComputed(adapter.name, () => new Set()).add(genuine);
  return genuine;
}

describe('the official libraries agree', () => {
  const sdk = new Stripe('sk_test_x');
  const body = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'charge.succeeded',
    created: 1_795_600_000,
    data: {},
  });
  const stripeSays = (payload: string, header: string, secret: string): boolean => {
    try {
      sdk.webhooks.constructEvent(payload, header, secret, 300, undefined, now);
      return true;
    } catch {
      return false;
    }
  };

  test('Stripe: what its library signs, also with two secrets, and nothing that it refuses', async () => {
    const at = Math.floor(now / 1000);
    const sign = (secret: string, timestamp = at, more = {}): string =>
      sdk.webhooks.generateTestHeaderString({ payload: body, secret, timestamp, ...more });
    const [one, other] = ['whsec_one', 'whsec_other'];
    const both = `${sign(one)},${sign(other).split(',')[1]}`;
    for (const header of [
      sign(one),
      sign(other),
      both,
      `${sign(one)},v0=${'0'.repeat(64)}`,
      sign(one, at - 299),
      sign(one, at - 301),
      sign(one, at, { scheme: 'v0' }),
      sign(one).replace('t=', 't=1'),
      sign(one).replaceAll(/v1=./g, 'v1='),
      `t=${at}`,
      'v1=00',
      '',
    ])
      assert.equal(
        await verifies(stripe, arrivedOf(Buffer.from(body), { 'stripe-signature': header }), by(one)),
        stripeSays(body, header, one),
        header,
      );
    // Here its library is of another mind.
    const future = sign(one, at + 301);
    assert.equal(stripeSays(body, future, one), true);
    assert.equal(await verifies(stripe, arrivedOf(Buffer.from(body), { 'stripe-signature': future }), by(one)), false);
    const [item] = stripe.read(arrivedOf(Buffer.from(body), {}));
    assert.deepEqual(
      [item?.deliveryId, item?.topic, item?.live, item?.occurredAt],
      ['evt_1', 'charge.succeeded', false, '2026-11-25T09:46:40.000Z'],
    );
  });

  test('Shopify: what its library finds valid, under its own names and under the neutral ones', async () => {
    await import('@shopify/shopify-api/adapters/node');
    const api = shopifyApi({
      apiKey: 'key',
      apiSecretKey: 'shpss_one',
      apiVersion: ApiVersion.July26,
      hostName: 'books.example',
      isEmbeddedApp: false,
      logger: { log: () => undefined },
    });
    const order = '{"id":1,"updated_at":"2026-11-26T12:59:00+01:00","note":"ä"}';
    const headersFor = (secret: string, text = order): Record<string, string> => ({
      'x-shopify-hmac-sha256': createHmac('sha256', secret).update(text).digest('base64'),
      'x-shopify-topic': 'orders/create',
      'x-shopify-shop-domain': 'vienna.myshopify.com',
      'x-shopify-api-version': '2026-07',
      'x-shopify-webhook-id': 'b54557e4',
      'x-shopify-event-id': '98880550',
      'x-shopify-triggered-at': '2026-11-26T11:58:00.123456789Z',
    });
    for (const [headers, genuine] of [
      [headersFor('shpss_one'), true],
      [headersFor('shpss_other'), false],
      [headersFor('shpss_one', `${order} `), false],
      [{ ...headersFor('shpss_one'), 'x-shopify-hmac-sha256': '' }, false],
      [{ ...headersFor('shpss_one'), 'x-shopify-hmac-sha256': 'AAAA' }, false],
    ] as const) {
      const { valid } = await api.webhooks.validate({
        rawBody: order,
        rawRequest: { method: 'POST', url: '/', headers } as never,
        rawResponse: {} as never,
      });
      assert.equal(valid, genuine);
      assert.equal(await verifies(shopify, arrivedOf(Buffer.from(order), headers), by('shpss_one')), genuine);
      const neutral = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.replace('x-shopify-', 'x-marketplace-'), value]),
      );
      assert.equal(await verifies(shopify, arrivedOf(Buffer.from(order), neutral), by('shpss_one')), genuine);
    }
    const arrived = arrivedOf(Buffer.from(order), headersFor('shpss_one'));
    const [item] = shopify.read(arrived);
    assert.deepEqual(shopify.read({ ...arrived, headers: keptHeaders(arrived.headers) }), [item], 'as it is kept');
    assert.deepEqual(
      [item?.deliveryId, item?.eventId, item?.account, item?.topic, item?.resource, item?.occurredAt],
      ['b54557e4', '98880550', 'vienna.myshopify.com', 'orders/create', 'orders/1', '2026-11-26T11:59:00.000Z'],
    );
  });

  test('Braintree: notifications of its library, of every kind, and its answer to a challenge', async () => {
    const gateway = new BraintreeGateway({
      environment: Environment.Sandbox,
      merchantId: 'merchant',
      publicKey: 'public1',
      privateKey: 'private1',
    });
    const own = by('private1', { public_key: 'public1' });
    const kinds = Object.values(WebhookNotification.Kind);
    assert.ok(kinds.length > 30);
    for (const kind of kinds) {
      const sample = gateway.webhookTesting.sampleNotification(kind, 'thing1');
      const theirs = await gateway.webhookNotification.parse(sample.bt_signature, sample.bt_payload);
      const arrived = arrivedOf(Buffer.from(new URLSearchParams({ ...sample }).toString()), {});
      assert.equal(await verifies(braintree, arrived, own), true, kind);
      assert.equal(await verifies(braintree, arrived, by('private2', own.settings)), false, kind);
      assert.equal(await verifies(braintree, arrived, by('private1', { public_key: 'public2' })), false, kind);
      const [item] = braintree.read(arrived);
      assert.equal(item?.topic, theirs.kind);
      assert.equal(Date.parse(item?.occurredAt ?? ''), Date.parse(String(theirs.timestamp)));
    }
    const settled = gateway.webhookTesting.sampleNotification('transaction_settled', 'thing1');
    const [item] = braintree.read(arrivedOf(Buffer.from(new URLSearchParams({ ...settled }).toString()), {}));
    assert.equal(item?.resource, 'thing1');
    const challenge = '20f9f8ed05f77439fe955c977e4c8a53';
    const asked = { ...arrivedOf(Buffer.alloc(0), {}), url: `${address}&bt_challenge=${challenge}` };
    assert.equal(await verifies(braintree, asked, own), true);
    assert.deepEqual(braintree.handshake?.(asked, own), {
      status: 200,
      text: gateway.webhookNotification.verify(challenge),
    });
    // What was answered signs nothing else.
    const [, answer = ''] = gateway.webhookNotification.verify(challenge).split('|');
    const forged = new URLSearchParams({ bt_signature: `public1|${answer}`, bt_payload: challenge }).toString();
    assert.equal(await verifies(braintree, arrivedOf(Buffer.from(forged), {}), own), false);
    for (const other of ['', 'ABCDEF0123456789ABCD', 'a'.repeat(19), 'a'.repeat(33), '<script>'])
      assert.equal(braintree.handshake?.({ ...asked, url: `${address}&bt_challenge=${other}` }, own), undefined);
  });
});

describe('what other official libraries signed and found valid, once', () => {
  test('Adyen: @adyen/api-library 32.1.0', async () => {
    const secret = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
    const item = {
      pspReference: '7914073381342284',
      originalReference: '',
      merchantAccountCode: 'StewardTest',
      merchantReference: 'INV:2026/17 – ä',
      amount: { value: 1130, currency: 'EUR' },
      eventCode: 'AUTHORISATION',
      success: 'true',
      reason: 'x',
      additionalData: { hmacSignature: 'yXCKEq6gzYzgrNotWL9wEUj+ocMTwnXOeFPigshy8rs=' },
    };
    const refund = {
      ...item,
      eventCode: 'REFUND',
      originalReference: '7914073381342284',
      pspReference: '8825408195409505',
      success: 'false',
      additionalData: { hmacSignature: 'Hx9sTQ+PniTKbRrQC8P0d4/ebfxbJhA3neHRccesCUo=' },
    };
    const sent = (...items: readonly object[]): Arrived =>
      arrivedOf(
        Buffer.from(
          JSON.stringify({ live: 'false', notificationItems: items.map((one) => ({ NotificationRequestItem: one })) }),
        ),
        {},
      );
    assert.equal(await verifies(adyen, sent(item, refund), by(secret)), true);
    // One that is not genuine spoils all.
    assert.equal(await verifies(adyen, sent(item, { ...refund, success: 'true' }), by(secret)), false);
    assert.equal(await verifies(adyen, sent(), by(secret)), false);
    for (const [change, genuine] of [
      [{ reason: 'another', eventDate: 'x', live: 'true' }, true],
      [{ amount: { value: 1131, currency: 'EUR' } }, false],
      [{ success: 'false' }, false],
      [{ merchantReference: 'INV:2026/18 – ä' }, false],
      // The same text between colons, with other borders.
      [{ merchantReference: '2026/17 – ä', merchantAccountCode: 'StewardTest:INV' }, false],
    ] as const)
      assert.equal(await verifies(adyen, sent({ ...item, ...change }), by(secret)), genuine, JSON.stringify(change));
    const items = adyen.read(sent({ ...item, reason: 'forged' }, refund));
    assert.deepEqual(
      items.map(({ deliveryId, account, resource, data }) => [deliveryId, account, resource, data['reason']]),
      [
        ['AUTHORISATION:7914073381342284:true', 'StewardTest', '7914073381342284', undefined],
        ['REFUND:8825408195409505:false', 'StewardTest', '7914073381342284', undefined],
      ],
    );
  });

  test('Square: square 46.0.0', async () => {
    const body = Buffer.from(
      '{"merchant_id":"MLT1","type":"payment.updated","event_id":"6a8f5f28-54a1-4eb0-a98a-3111513fd4fc","created_at":"2026-02-06T21:27:34.308Z","data":{"type":"payment","id":"hYy9pRFVxpDsO1FB05SunFWUe9JZY","note":"ä"}}',
    );
    const arrived = {
      ...arrivedOf(body, { 'x-square-hmacsha256-signature': '93itTJ2AFh7DMcQWR6g9GXQsbWE2iMMvpgJxF3peEtE=' }),
      url: 'https://books.example/webhooks/gateway_payments?c=0192',
    };
    assert.equal(await verifies(square, arrived, by('asdf1234')), true);
    assert.equal(
      await verifies(square, { ...arrived, url: arrived.url.replace('0192', '0193') }, by('asdf1234')),
      false,
    );
  });

  test('EasyPost: @easypost/api 8.9.0, with whole weights and a secret of two forms', async () => {
    const body = Buffer.from(
      '{"id":"evt_1","description":"batch.created","mode":"test","result":{"id":"batch_1","weight":1136, "parcel": {"weight": 12 }, "other":{"weight": 17.5,"weights":3}}}',
    );
    for (const [secret, signature] of [
      ['sécret', '9420b0cce4a4953a7745bc610f5d92bc42cfa17a56c36d05b8cb634ec5a3b2c3'],
      ['\u212Bngström', '047cd8a87cf10e0cdab610449ea71b988816c6b23fd5cd5cae29ce31ee95fab1'],
      ['A\u030Angstro\u0308m', '047cd8a87cf10e0cdab610449ea71b988816c6b23fd5cd5cae29ce31ee95fab1'],
    ] as const) {
      const arrived = arrivedOf(body, { 'x-hmac-signature': `hmac-sha256-hex=${signature}` });
      assert.equal(await verifies(easypost, arrived, by(secret)), true);
      assert.equal(
        await verifies(
          easypost,
          { ...arrived, body: Buffer.from(body.toString().replace('1136', '1137')) },
          by(secret),
        ),
        false,
      );
    }
  });
});

describe('schemes that no library verifies, as their providers document them', () => {
  test('Authorize.Net: by the key as text or as the bytes of its digits, in either case', async () => {
    const key = 'F0'.repeat(64);
    const body = Buffer.from(
      '{"notificationId":"1","eventType":"net.authorize.payment.void.created","payload":{"authAmount":300.00}}',
    );
    for (const form of [key, Buffer.from(key, 'hex')])
      for (const written of ['toUpperCase', 'toLowerCase'] as const) {
        const hex = createHmac('sha512', form).update(body).digest('hex')[written]();
        assert.equal(
          await verifies(authorizenet, arrivedOf(body, { 'x-anet-signature': `sha512=${hex}` }), by(key)),
          true,
        );
        const other = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
        assert.equal(
          await verifies(authorizenet, arrivedOf(other, { 'x-anet-signature': `sha512=${hex}` }), by(key)),
          false,
        );
      }
  });

  test('TaxBandits: the time is signed, in any of its forms, and the unsigned sample is answered only while asked for', async () => {
    const settings = { client_id: 'client-1' };
    for (const timestamp of [
      '2026-11-26T12:00:00Z',
      '2026-11-26 07:00:00 -05:00',
      '1795694400',
      '1795694400123',
      '2026-11-26T12:00:00.1234567',
    ]) {
      const signature = createHmac('sha256', 'secret').update(`client-1\n${timestamp}`).digest('base64');
      const arrived = arrivedOf(Buffer.from('{}'), { signature, timestamp });
      assert.equal(await verifies(taxbandits, arrived, by('secret', settings)), true, timestamp);
      assert.equal(await verifies(taxbandits, arrived, by('secret', { client_id: 'client-2' })), false);
      assert.equal(taxbandits.read(arrived)[0]?.topic, 'other');
    }
    const sample = arrivedOf(Buffer.from('{"SubmissionId":"1"}'), {});
    assert.equal(await verifies(taxbandits, sample, by('secret', settings)), false);
    assert.equal(taxbandits.handshake?.(sample, by('secret', settings)), undefined);
    const accepting = by('secret', { ...settings, sample: 'accept' });
    assert.equal(await verifies(taxbandits, sample, accepting), true);
    assert.deepEqual(taxbandits.handshake?.(sample, accepting), { status: 200, text: '' });
    const badly = arrivedOf(sample.body, { signature: 'AAAA', timestamp: '2026-11-26T12:00:00Z' });
    assert.equal(await verifies(taxbandits, badly, accepting), false);
  });

  test('ShipStation: what another implementation of RSA signs, by a key of its set', async () => {
    const made = async () =>
      crypto.subtle.generateKey(
        { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2_048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
        true,
        ['sign', 'verify'],
      );
    const [own, strange] = [await made(), await made()];
    const keys = [{ ...(await crypto.subtle.exportKey('jwk', own.publicKey)), kid: 'ship-1' }];
    const served: AdapterPorts = { fetchText: async () => JSON.stringify({ keys }) };
    const body = Buffer.from('{"resource_type":"API_TRACK","data":{"tracking_number":"1Z"}}');
    const time = new Date(now).toISOString();
    const sent = async ({ privateKey }: CryptoKeyPair, signed: string, more = {}): Promise<Arrived> =>
      arrivedOf(body, {
        'x-shipengine-rsa-sha256-key-id': 'ship-1',
        'x-shipengine-rsa-sha256-signature': Buffer.from(
          await crypto.subtle.sign('RSASSA-PKCS1-v1_5', privateKey, Buffer.from(signed)),
        ).toString('base64'),
        'x-shipengine-timestamp': time,
        ...more,
      });
    const whole = `${time}.${body.toString()}`;
    assert.equal(await verifies(shipstation, await sent(own, whole), by(''), served), true);
    assert.equal(await verifies(shipstation, await sent(strange, whole), by(''), served), false);
    assert.equal(await verifies(shipstation, await sent(own, body.toString()), by(''), served), false);
    assert.equal(
      await verifies(shipstation, await sent(own, body.toString()), by('', { signed: 'body' }), served),
      true,
    );
    const other = { 'x-shipengine-rsa-sha256-key-id': 'ship-2' };
    assert.equal(await verifies(shipstation, await sent(own, whole, other), by(''), served), false);
  });
});

/** Those that are compared in files of their own: what signs for them is made there. */
const elsewhere: Readonly<Record<string, string>> = { paypal: './paypal.test.ts', plaid: './plaid.test.ts' };

test('every adapter is compared with something that is not ours, which it agrees with in what is genuine and in what is not', () => {
  for (const { name } of allAdapters(async () => undefined)) {
    const file = elsewhere[name];
    if (file === undefined) assert.deepEqual([...(said.get(name) ?? [])].toSorted(), [false, true], name);
    else assert.ok(existsSync(new URL(file, import.meta.url)), name);
  }
});
