import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@steward/kernel';
import { publishForm, revokeKey, unpublishForm, updateForm, updateSite } from '@steward/studio';
import { sql } from '@steward/sql';
import { ask, createWorld, faults, submit, type Running, type World } from '../fixtures/world.ts';

let world: World;
let server: Running;
before(async () => {
  world = await createWorld();
  server = await world.start();
});
after(async () => world[Symbol.asyncDispose]());

const shopOrigin = 'https://shop.example';
const schemaOf = (formId: string): string => `/storefront/v1/forms/${formId}/schema`;

describe('the schema of a form', () => {
  test('is the document of the contract, by its version, and a second look costs no body', async () => {
    const { key, formId, siteId } = await server.shop();
    const first = await ask(server, schemaOf(formId), { key });
    assert.equal(first.status, 200);
    assert.deepEqual(Object.keys(first.body), [
      'formId',
      'siteId',
      'name',
      'activeVersion',
      'targetEntityType',
      'fields',
      'validationRules',
    ]);
    assert.deepEqual([first.body['formId'], first.body['siteId'], first.body['activeVersion']], [formId, siteId, 1]);
    assert.equal(first.headers.get('cache-control'), 'private, no-cache');
    assert.match(first.headers.get('content-type') ?? '', /^application\/json/);
    const etag = first.headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask(server, schemaOf(formId), { key, headers: { 'if-none-match': known } });
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag]);
    }
    assert.equal((await ask(server, schemaOf(formId), { key, headers: { 'if-none-match': '"other"' } })).status, 200);
  });

  test('shows a published version at once, to whoever asks with the old tag too', async () => {
    const { key, formId, context } = await server.shop();
    const first = await ask(server, schemaOf(formId), { key });
    await updateForm(context, { formId, name: 'Write to us' });
    assert.equal(
      (await ask(server, schemaOf(formId), { key })).body['name'],
      'Contact',
      'a draft is nobody’s business',
    );
    await publishForm(context, { formId }, server.studio.deps);
    const second = await ask(server, schemaOf(formId), {
      key,
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });
    assert.deepEqual([second.status, second.body['name'], second.body['activeVersion']], [200, 'Write to us', 2]);
  });

  test('is the same answer whether this process remembered it or not', async () => {
    const { key, formId } = await server.shop();
    for (const headers of [{}, { origin: shopOrigin }] as Record<string, string>[]) {
      const slow = await ask(server, `${schemaOf(formId)}?`, { key, headers });
      const quick = await ask(server, schemaOf(formId), { key, headers });
      assert.deepEqual([quick.status, quick.text], [slow.status, slow.text]);
      const shown = ({ headers: all }: typeof slow) =>
        [...all].filter(([name]) => !['x-request-id', 'date', 'ratelimit'].includes(name)).toSorted();
      assert.deepEqual(shown(quick), shown(slow));
      assert.match(quick.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    }
  });

  test('answers HEAD like GET without a body, and the id in capitals like in small letters', async () => {
    const { key, formId } = await server.shop();
    const head = await ask(server, schemaOf(formId), { method: 'HEAD', key });
    const get = await ask(server, schemaOf(formId.toUpperCase()), { key });
    assert.deepEqual([head.status, head.text], [200, '']);
    for (const name of ['etag', 'content-length', 'cache-control', 'vary'])
      assert.equal(head.headers.get(name), get.headers.get(name), name);
  });

  test('is one and the same 404 for a form that is unknown or another site’s, and needs a key', async () => {
    const { key, formId } = await server.shop();
    const other = await server.shop();
    const unknown = await ask(server, schemaOf(newId()), { key });
    const foreign = await ask(server, schemaOf(other.formId), { key });
    assert.deepEqual(faults(unknown), ['form_not_found']);
    assert.deepEqual([unknown.status, unknown.body['detail']], [foreign.status, foreign.body['detail']]);
    assert.deepEqual(faults(await ask(server, schemaOf('x'), { key })), ['invalid_form_id', '?formId invalid_format']);
    for (const id of ['%zz', '%ff%fe', 'x'.repeat(300)]) {
      const unreadable = await ask(server, schemaOf(id), { key });
      assert.deepEqual(faults(unreadable), ['invalid_form_id', '?formId invalid_format'], id);
      assert.ok(unreadable.headers.get('ratelimit'), id);
    }
    const escaped = await ask(server, schemaOf(`%${formId.charCodeAt(0).toString(16)}${formId.slice(1)}`), { key });
    assert.equal(escaped.body['formId'], formId);
    const keyless = await ask(server, schemaOf(formId));
    assert.deepEqual([keyless.status, ...faults(keyless)], [401, 'invalid_sdk_key']);
    assert.match(keyless.headers.get('www-authenticate') ?? '', /^SDK-Key/);
  });

  test('says of a refused key whether it was mistyped or is not in use', async () => {
    const { context, siteId, formId, key, keyId } = await server.shop();
    const refused = async (given: string): Promise<string> => {
      const { status, body } = await ask(server, schemaOf(formId), { key: given });
      assert.deepEqual([status, body['code']], [401, 'invalid_sdk_key']);
      return String(body['detail']);
    };
    for (const mistyped of ['x', key.slice(0, -1), `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`])
      assert.match(await refused(mistyped), /^This is no whole SDK key: /);
    await revokeKey(context, { siteId, keyId }, server.studio.deps);
    assert.match(await refused(key), /^No site has this key in use: /);
  });

  test('does nothing under a key that was revoked while the body was held back', async () => {
    const { context, siteId, formId, key, keyId } = await server.shop();
    const asked = [
      {
        path: `/storefront/v1/forms/${formId}/submit`,
        body: JSON.stringify({ fields: { email: 'late@example.com' } }),
      },
      { path: '/storefront/v1/carts', body: JSON.stringify({ lines: [{ variantId: newId(), quantity: 1 }] }) },
    ].map(({ path, body }) => {
      const headers = {
        'x-service-sdk-key': key,
        'content-type': 'application/json',
        'content-length': body.length,
        'idempotency-key': newId(),
      };
      const sent = request(`${server.origin}/commerce${path}`, { method: 'POST', headers });
      sent.write(body.slice(0, 5));
      return { sent, rest: body.slice(5), answered: once(sent, 'response') as Promise<[IncomingMessage]> };
    });
    // Until the key was looked at.
    await sleep(300);
    await revokeKey(context, { siteId, keyId }, server.studio.deps);
    for (const { sent, rest, answered } of asked) {
      sent.end(rest);
      const [answer] = await answered;
      const told = await text(answer);
      assert.equal(answer.statusCode, 401, told);
      assert.match(told, /"invalid_sdk_key"/);
    }
  });
});

describe('a browser', () => {
  const asks = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,x-service-sdk-key',
  };

  test('is told before it sends what a page of the site may send', async () => {
    const { formId } = await server.shop();
    for (const [end, methods] of [
      ['schema', 'GET, HEAD, OPTIONS'],
      ['start', 'POST, OPTIONS'],
      ['submit', 'POST, OPTIONS'],
    ] as const) {
      const answer = await ask(server, `/storefront/v1/forms/${formId}/${end}`, {
        method: 'OPTIONS',
        headers: { origin: shopOrigin, ...asks },
      });
      assert.equal(answer.status, 204);
      assert.equal(answer.headers.get('access-control-allow-origin'), shopOrigin);
      assert.equal(answer.headers.get('access-control-allow-methods'), methods);
      assert.equal(
        answer.headers.get('access-control-allow-headers'),
        'content-type, x-service-sdk-key, if-none-match, x-cart-token, idempotency-key, if-match, x-order-token',
      );
      assert.match(answer.headers.get('vary') ?? '', /Origin/);
      assert.equal(answer.headers.get('access-control-allow-credentials'), null);
    }
  });

  test('may ask for any form from a page of a site, so that what is wrong with the form can be read there', async () => {
    const shop = await server.shop();
    const unpublished = await server.shop();
    await unpublishForm(unpublished.context, { formId: unpublished.formId }, server.studio.deps);
    for (const [given, code] of [
      [unpublished, 'form_not_found'],
      [{ ...shop, formId: newId() }, 'form_not_found'],
      [{ ...shop, formId: 'contact-us' }, 'invalid_form_id'],
    ] as const) {
      const headers = { origin: shopOrigin };
      const path = `/storefront/v1/forms/${given.formId}/submit`;
      const preflight = await ask(server, path, { method: 'OPTIONS', headers: { ...headers, ...asks } });
      assert.deepEqual(
        [preflight.status, preflight.headers.get('access-control-allow-origin')],
        [204, shopOrigin],
        given.formId,
      );
      for (const answer of [
        await ask(server, schemaOf(given.formId), { key: given.key, headers }),
        await submit(server, given, { data: {} }, headers),
      ]) {
        assert.equal(answer.body['code'], code);
        assert.equal(answer.headers.get('access-control-allow-origin'), shopOrigin);
      }
    }
  });

  test('is told nothing for a page of an origin that no site names', async () => {
    const { formId } = await server.shop();
    for (const [id, origin] of [
      [formId, 'https://evil.example'],
      [formId, 'HTTPS://SHOP.EXAMPLE'],
      [formId, `https://${'a'.repeat(5_000)}.example`],
      [newId(), 'null'],
    ] as const) {
      const answer = await ask(server, `/storefront/v1/forms/${id}/submit`, {
        method: 'OPTIONS',
        headers: { origin, ...asks },
      });
      assert.equal(answer.status, 204);
      assert.equal(answer.headers.get('access-control-allow-origin'), null);
      assert.equal(answer.headers.get('access-control-allow-methods'), null);
    }
  });

  test('can read every problem but that its own origin is not allowed', async () => {
    const shop = await server.shop();
    const headers = { origin: shopOrigin };
    const unread = await submit(server, shop, { data: { email: 'a@b.example' } }, { origin: 'https://evil.example' });
    assert.deepEqual([unread.status, unread.headers.get('access-control-allow-origin')], [403, null]);
    for (const answer of [
      await submit(server, shop, { data: {} }, headers),
      await submit(server, shop, '{', headers),
      await submit(server, { ...shop, key: 'x' }, {}, headers),
      await submit(server, { ...shop, formId: newId() }, { data: { email: 'a@b.example' } }, headers),
      await submit(server, shop, 'x', { ...headers, 'content-type': 'text/plain' }),
      await ask(server, schemaOf(shop.formId), { method: 'PUT', key: shop.key, headers }),
      await ask(server, schemaOf('x'), { key: shop.key, headers }),
    ]) {
      assert.ok(answer.status >= 400);
      assert.equal(answer.headers.get('access-control-allow-origin'), shopOrigin, String(answer.body['code']));
      const exposed = answer.headers.get('access-control-expose-headers') ?? '';
      for (const name of ['ETag', 'RateLimit', 'Retry-After', 'X-Request-Id']) assert.ok(exposed.includes(name));
      assert.equal(answer.headers.get('vary'), 'Origin');
      assert.ok(answer.headers.get('ratelimit'));
    }
  });

  test('is told which methods there are', async () => {
    const { key, formId } = await server.shop();
    for (const [method, end, allow] of [
      ['DELETE', 'schema', 'GET, HEAD, OPTIONS'],
      ['POST', 'schema', 'GET, HEAD, OPTIONS'],
      ['GET', 'start', 'POST, OPTIONS'],
      ['GET', 'submit', 'POST, OPTIONS'],
      ['PUT', 'submit', 'POST, OPTIONS'],
    ] as const) {
      const answer = await ask(server, `/storefront/v1/forms/${formId}/${end}`, { method, key });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, allow], `${method} ${end}`);
    }
    // Which fetch does not send.
    const trace = request(`${server.origin}/commerce${schemaOf(formId)}`, { method: 'TRACE' }).end();
    const [answer] = (await once(trace, 'response')) as [IncomingMessage];
    answer.resume();
    assert.deepEqual([answer.statusCode, answer.headers.allow], [405, 'GET, HEAD, OPTIONS']);
    assert.ok(answer.headers['ratelimit']);
  });
});

test('a visitor is told whose contact it is, unless the operator says otherwise', async () => {
  const hiding = await world.start({ tellsContact: false });
  const shop = await server.shop();
  const told = await submit(server, shop, { data: { email: 'a@b.example' } });
  const spared = await submit(hiding, shop, { data: { email: 'a@b.example' } });
  assert.deepEqual([told.status, spared.status], [201, 201]);
  const { contactId, ...rest } = told.body;
  assert.ok(typeof contactId === 'string');
  assert.deepEqual(Object.keys(spared.body), Object.keys(rest));
  const rows = await world.admin.query(sql`
    select contact_id from commerce.submission where submission_id = ${String(spared.body['submissionId'])}::uuid`);
  assert.deepEqual(rows, [{ contact_id: contactId }]);
});

describe('the limits', () => {
  const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

  test('let a hundred requests of an address through in a minute, over all routes and whatever their answer', async () => {
    const one = await world.start({ limits: { perAddressPerMinute: 100, perKeyPerMinute: 1_000_000 } });
    const shop = await one.shop();
    const requests = [
      async () => ask(one, schemaOf(shop.formId), { key: shop.key, headers: from('192.0.2.1') }),
      async () => submit(one, shop, { data: {} }, from('192.0.2.1')),
      async () => ask(one, schemaOf(newId()), { headers: from('192.0.2.1') }),
      async () =>
        ask(one, schemaOf(shop.formId), { method: 'OPTIONS', headers: { origin: shopOrigin, ...from('192.0.2.1') } }),
    ];
    for (let n = 0; n < 100; n += 1) {
      const answer = await requests[n % 4]?.();
      assert.notEqual(answer?.status, 429);
      assert.match(answer?.headers.get('ratelimit') ?? '', new RegExp(`^"storefront-address";r=${99 - n};t=\\d+`));
      assert.match(answer?.headers.get('ratelimit-policy') ?? '', /^"storefront-address";q=100;w=60/);
    }
    for (const request of requests) {
      const answer = await request();
      assert.deepEqual([answer.status, ...faults(answer)], [429, 'rate_limited']);
      assert.match(answer.headers.get('retry-after') ?? '', /^([1-9]|[1-5]\d|60)$/);
    }
    assert.equal((await ask(one, schemaOf(shop.formId), { key: shop.key, headers: from('192.0.2.2') })).status, 200);
    await one.stop();
  });

  test('are others for visitors who begin to fill a form in: they keep nobody from sending it', async () => {
    const one = await world.start({ limits: { perAddressPerMinute: 3, perKeyPerMinute: 2 } });
    const shop = await one.shop();
    const start = async (address: string) =>
      ask(one, `/storefront/v1/forms/${shop.formId}/start`, { method: 'POST', key: shop.key, headers: from(address) });
    const statuses: number[] = [];
    for (const address of [1, 2, 3, 1, 1]) statuses.push((await start(`192.0.2.${address}`)).status);
    assert.deepEqual(statuses, [204, 204, 429, 429, 429]);
    const limited = await start('192.0.2.4');
    assert.match(
      limited.headers.get('ratelimit-policy') ?? '',
      /^"storefront-start-address";q=3;w=60, "storefront-start-key";q=2;w=60$/,
    );
    const spelled = await ask(one, `/storefront/v1/forms/${shop.formId}/star%74`, {
      method: 'POST',
      key: shop.key,
      headers: from('192.0.2.8'),
    });
    assert.match(spelled.headers.get('ratelimit-policy') ?? '', /^"storefront-start-address"/);
    // What is said behind a question mark is no route.
    const asked = await ask(one, `${schemaOf(shop.formId)}?/forms/a/start`, {
      key: shop.key,
      headers: from('192.0.2.9'),
    });
    assert.match(asked.headers.get('ratelimit-policy') ?? '', /^"storefront-address"/);
    const sent = await submit(one, shop, { data: { email: 'a@b.example' } }, from('192.0.2.1'));
    assert.deepEqual([sent.status, sent.headers.get('ratelimit')?.includes('"storefront-key";r=0')], [201, true]);
    await one.stop();
  });

  test('let a hundred requests with a key through, from however many addresses, and no more for another key’s sake', async () => {
    const one = await world.start({ limits: { perAddressPerMinute: 1_000_000, perKeyPerMinute: 100 } });
    const shop = await one.shop();
    const other = await one.shop();
    const answers = await Promise.all(
      Array.from({ length: 130 }, async (_one, n) =>
        submit(one, shop, { data: { email: 'a@b.example' } }, from(`192.0.2.${n}`)),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 100);
    assert.equal(answers.filter(({ status }) => status === 429).length, 30);
    const late = await submit(
      one,
      shop,
      { data: { email: 'a@b.example' } },
      { origin: shopOrigin, ...from('192.0.2.250') },
    );
    assert.match(late.headers.get('ratelimit') ?? '', /"storefront-key";r=0;t=\d+$/);
    assert.equal(late.headers.get('access-control-allow-origin'), shopOrigin, 'a page can read when to try again');
    assert.equal((await submit(one, other, { data: { email: 'a@b.example' } }, from('192.0.2.1'))).status, 201);
    await one.stop();
  });

  test('are a site’s own for its keys where it has a ceiling, up to the operator’s, also in a process that did not know the key', async () => {
    const limits = { perAddressPerMinute: 1_000_000, perKeyPerMinute: 10 };
    const one = await world.start({ limits, limitsUrl: 'postgres' });
    const shop = await one.shop();
    const raised = await one.shop();
    await updateSite(raised.context, { siteId: raised.siteId, requestsPerMinute: 30 }, one.studio.deps);
    const other = await world.start({ limits, limitsUrl: 'postgres' });
    const statuses = async (of: typeof shop, count: number) => {
      const came: number[] = [];
      for (let n = 0; n < count; n += 1) {
        const answer = await ask(n % 2 === 0 ? one : other, schemaOf(of.formId), { key: of.key });
        assert.match(
          answer.headers.get('ratelimit-policy') ?? '',
          new RegExp(`^"storefront-address";q=1000000;w=60, "storefront-key";q=${of === raised ? 30 : 10};w=60$`),
        );
        assert.match(
          answer.headers.get('ratelimit') ?? '',
          /^"storefront-address";r=\d+;t=\d+, "storefront-key";r=\d+;t=\d+$/,
        );
        came.push(answer.status);
      }
      return { served: came.filter((status) => status === 200).length, last: came.at(-1) };
    };
    assert.deepEqual(await statuses(shop, 12), { served: 10, last: 429 });
    assert.deepEqual(await statuses(raised, 32), { served: 30, last: 429 });
    const beyond = await updateSite(
      raised.context,
      { siteId: raised.siteId, requestsPerMinute: 6_001 },
      one.studio.deps,
    ).catch((error: unknown) => error);
    assert.equal((beyond as { code?: string }).code, 'invalid_request');
    await Promise.all([one.stop(), other.stop()]);
  });

  test('count an IPv6 subscriber by /64, and believe no address that no trusted proxy wrote', async () => {
    const one = await world.start({ limits: { perAddressPerMinute: 3, perKeyPerMinute: 1_000 } });
    const { key, formId } = await one.shop();
    const statuses: number[] = [];
    for (const address of [
      '2001:db8:0:1::1',
      '2001:db8:0:1::2',
      '2001:db8:0:1:ffff::3',
      '2001:db8:0:1::4',
      '2001:db8:0:2::1',
      '203.0.113.9, 2001:db8:0:1::5',
    ])
      statuses.push((await ask(one, schemaOf(formId), { key, headers: from(address) })).status);
    assert.deepEqual(statuses, [200, 200, 200, 429, 200, 429]);
    await one.stop();
  });

  test('hold over two processes that share their counters', async () => {
    const limits = { perAddressPerMinute: 20, perKeyPerMinute: 1_000 };
    const servers = await Promise.all([
      world.start({ limits, limitsUrl: 'postgres' }),
      world.start({ limits, limitsUrl: 'postgres' }),
    ]);
    const shop = await servers[0].shop();
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_one, n) =>
        ask(servers[n % 2 === 0 ? 0 : 1], schemaOf(shop.formId), { key: shop.key, headers: from('192.0.2.77') }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 20);
    await Promise.all(servers.map(async (one) => one.stop()));
  });
});
