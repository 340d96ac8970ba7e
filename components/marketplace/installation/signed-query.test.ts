import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ApiVersion, shopifyApi } from '@shopify/shopify-api';
import { createShopify, type Shopify } from '../fixtures/testing.ts';
import { isInTime, signedQuery } from './signed-query.ts';

describe('a query that the marketplace signed', () => {
  let shopify: Shopify;
  before(async () => {
    await import('@shopify/shopify-api/adapters/node');
    shopify = await createShopify();
  });
  after(async () => shopify[Symbol.asyncDispose]());

  const official = () =>
    shopifyApi({
      apiKey: shopify.clientId,
      apiSecretKey: shopify.secret,
      hostName: 'shop.example',
      apiVersion: ApiVersion.July26,
      isEmbeddedApp: false,
      logger: { log: () => undefined },
    });
  const asItSays = async (query: URLSearchParams): Promise<boolean> => {
    try {
      return await official().utils.validateHmac(Object.fromEntries(query));
    } catch {
      return false;
    }
  };
  const said = (more: Readonly<Record<string, string>> = {}) => ({
    code: 'abc',
    host: Buffer.from('one.myshopify.com/admin').toString('base64'),
    shop: 'one.myshopify.com',
    state: 'a-_b',
    timestamp: String(Math.floor(Date.now() / 1000)),
    ...more,
  });

  test('is taken where the official library takes it, and refused where that refuses it', async () => {
    const queries = [
      shopify.signed(said()),
      shopify.signed(said({ locale: 'de & fr', extra: 'ä=%20+' })),
      shopify.signed(said(), 'another secret'),
      new URLSearchParams([...shopify.signed(said()), ['added', '1']]),
      new URLSearchParams(shopify.signed(said()).toString().replace('one.my', 'two.my')),
      new URLSearchParams(said()),
    ];
    const expected = [true, true, false, false, false, false];
    for (const [index, query] of queries.entries()) {
      assert.equal(signedQuery(query.toString(), [shopify.secret]) !== undefined, expected[index], String(query));
      assert.equal(await asItSays(query), expected[index], `official: ${String(query)}`);
    }
  });

  test('is refused with a parameter that comes twice, a signature that is none, and far too many parameters', () => {
    const query = shopify.signed(said()).toString();
    for (const wrong of [
      `${query}&shop=two.myshopify.com`,
      `shop=two.myshopify.com&${query}`,
      query.replace(/hmac=[0-9a-f]+/, 'hmac='),
      query.replace(/hmac=[0-9a-f]{2}/, 'hmac='),
      query.replace(/hmac=/, 'hmac=00'),
      '',
      '?',
      'hmac',
      shopify.signed(Object.fromEntries(Array.from({ length: 40 }, (_none, n) => [`p${n}`, '1']))).toString(),
    ])
      assert.equal(signedQuery(wrong, [shopify.secret]), undefined, wrong.slice(0, 100));
  });

  test('is good for 90 seconds in either direction, and by the previous secret too', () => {
    const now = 1_795_000_000_000;
    const at = (seconds: number): string => String(now / 1000 + seconds);
    assert.deepEqual(
      [-91, -90, 0, 90, 91].map((seconds) => isInTime(at(seconds), now)),
      [false, true, true, true, false],
    );
    for (const none of [undefined, '', '1', 'NaN', '1e9', `${at(0)}0`])
      assert.equal(isInTime(none, now), false, String(none));
    assert.ok(signedQuery(shopify.signed(said()).toString(), ['newer', shopify.secret]) !== undefined);
  });
});
