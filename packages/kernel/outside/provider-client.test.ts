import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createProviderClient } from './provider-client.ts';
import { ProviderRefused, ProviderUnavailable } from './provider-errors.ts';

type Answer = (request: IncomingMessage & { text: string }, response: ServerResponse) => void;

/** A provider on a real port whose behaviour can be changed, and a client of it on a clock that is moved by hand. */
async function createProvider(deadline = 5_000) {
  let answer: Answer = (_, response) => response.end('{}');
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      answer(Object.assign(request, { text: Buffer.concat(chunks).toString() }), response);
    })();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const lines: string[] = [];
  const log = (fields: unknown, text?: unknown): void => void lines.push(JSON.stringify([fields, text]));
  let time = 0;
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  const client = createProviderClient({
    name: 'acme',
    base,
    deadline,
    log: { info: log, warn: log },
    now: () => time,
  });
  return {
    ...client,
    base,
    lines,
    asked: () => asked,
    pass: (milliseconds: number) => (time += milliseconds),
    answers: (next: Answer | number, headers: Readonly<Record<string, string>> = {}, text = '') => {
      answer = typeof next === 'number' ? (_, response) => void response.writeHead(next, headers).end(text) : next;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}

const unavailable =
  (about: RegExp, wait?: number) =>
  (error: unknown): true => {
    assert.ok(error instanceof ProviderUnavailable, String(error));
    assert.match(error.message, about);
    assert.equal(error.retryAfter, wait);
    return true;
  };

test('a call is sent as it is asked for, below the base address, and its JSON is answered', async () => {
  await using provider = await createProvider();
  provider.answers((request, response) => {
    const { method, url, text, headers } = request;
    response.setHeader('x-page', '2');
    response.end(JSON.stringify({ method, url, text, type: headers['content-type'], key: headers['authorization'] }));
  });
  const got = await provider.call('GET', '/orders/a%2Fb', {
    query: { limit: '2', q: 'a&b' },
    headers: { authorization: 'k' },
  });
  assert.deepEqual(got.body, { method: 'GET', url: '/v1/orders/a%2Fb?limit=2&q=a%26b', text: '', key: 'k' });
  assert.equal(got.headers.get('x-page'), '2');
  const { body: posted } = await provider.call('POST', '/orders', { body: { a: 1 } });
  assert.deepEqual(posted, { method: 'POST', url: '/v1/orders', text: '{"a":1}', type: 'application/json' });
  const { body: form } = await provider.call('POST', '/token', { form: { a: 'b c' } });
  assert.deepEqual(form, {
    method: 'POST',
    url: '/v1/token',
    text: 'a=b+c',
    type: 'application/x-www-form-urlencoded',
  });
  provider.answers(204);
  assert.equal((await provider.call('DELETE', '/orders/1')).body, undefined);
  provider.answers(200, {}, '\uFEFF{"a":1}');
  assert.deepEqual((await provider.call('GET', '/')).body, { a: 1 });
});

test('a text that is asked for is answered as it is, up to so many bytes, and a refusal of it is read like any other', async () => {
  await using provider = await createProvider();
  const text = { type: 'text/csv', most: 5 };
  provider.answers((request, response) => response.end(request.headers.accept === 'text/csv' ? '{"a,b' : '{}'));
  assert.equal((await provider.call('GET', '/report', { text })).body, '{"a,b');
  provider.answers(200, {}, '{"a,b,');
  await assert.rejects(provider.call('GET', '/report', { text }), unavailable(/more than 5 bytes/));
  provider.answers(403, {}, '{"error":"forbidden"}');
  await assert.rejects(provider.call('GET', '/report', { text }), { name: 'ProviderRefused', code: 'forbidden' });
});

test('a refusal tells status and code, and nothing that was sent or answered otherwise', async () => {
  await using provider = await createProvider();
  for (const [text, code] of [
    ['{"error":{"code":"card_declined"}}', 'card_declined'],
    ['{"error_code":"ITEM_LOGIN_REQUIRED"}', 'ITEM_LOGIN_REQUIRED'],
    ['{"name":"RESOURCE_NOT_FOUND"}', 'RESOURCE_NOT_FOUND'],
    ['{"errors":[{"code":"NOT_FOUND"}]}', 'NOT_FOUND'],
    ['{"error":"sk_live_1 is no key"}', undefined],
    ['<html>sk_live_1', undefined],
    [`{"error":"${'x'.repeat(70_000)}"}`, undefined],
  ] as const) {
    provider.answers(404, {}, text);
    await assert.rejects(provider.call('GET', '/', { headers: { authorization: 'sk_live_1' } }), (error: unknown) => {
      assert.ok(error instanceof ProviderRefused);
      assert.deepEqual([error.status, error.code], [404, code]);
      assert.doesNotMatch(`${error.message}${JSON.stringify(error)}`, /sk_live/);
      return true;
    });
  }
});

test('whatever is no answer is told as unavailable: limits, faults, redirects, cuts and what is no JSON', async () => {
  await using provider = await createProvider();
  const faulty = async (about: RegExp, wait?: number): Promise<void> => {
    await assert.rejects(provider.call('POST', '/', { body: {} }), unavailable(about, wait));
    // So that the breaker stays out of this test.
    provider.answers(204);
    await provider.call('GET', '/');
  };
  provider.answers(429, { 'retry-after': '7' });
  await faulty(/^acme answered 429$/, 7_000);
  provider.answers(503, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, '<html>');
  await faulty(/^acme answered 503$/, 0);
  provider.answers(503, { 'retry-after': '999999999' });
  await faulty(/503/, 86_400_000);
  for (const unusable of ['soon', '-1', '1e9', ' ']) {
    provider.answers(500, { 'retry-after': unusable });
    await faulty(/500/);
  }
  const before = provider.asked();
  provider.answers(302, { location: `${provider.base}elsewhere` });
  await assert.rejects(provider.call('GET', '/'), unavailable(/^acme answered 302$/));
  assert.equal(provider.asked(), before + 1);
  provider.answers(200, {}, '{"a":');
  await faulty(/what is no JSON/);
  provider.answers((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"a":1}', () => response.destroy());
  });
  await faulty(/^acme did not answer/);
  provider.answers((request) => request.socket.destroy());
  await faulty(/^acme did not answer \(UND_ERR_SOCKET\)$/);
  provider.answers(200, {}, JSON.stringify('x'.repeat(2_097_152)));
  await faulty(/more than 2097152 bytes/);
  provider.answers((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(`"${'x'.repeat(50_000_000)}"`));
  });
  await faulty(/more than 2097152 bytes/);
});

test('an answer that trickles ends with the deadline, and the caller may give up before', async () => {
  await using provider = await createProvider(150);
  provider.answers((_, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  });
  await assert.rejects(provider.call('GET', '/'), unavailable(/within 150 ms/));
  const reason = new Error('the worker stops');
  const gives = new AbortController();
  const given = assert.rejects(provider.call('GET', '/', { signal: gives.signal }), reason);
  gives.abort(reason);
  await given;
  await assert.rejects(provider.call('GET', '/', { signal: AbortSignal.abort(reason) }), reason);
});

test('after five failures in a row the address is left alone, and one probe finds that it is back', async () => {
  await using provider = await createProvider();
  provider.answers(500);
  const call = () => provider.call('GET', '/');
  for (let failure = 0; failure < 5; failure += 1) await assert.rejects(call(), unavailable(/500/));
  await assert.rejects(call(), unavailable(/is not asked/, 1_000));
  const other = createProviderClient({
    name: 'acme',
    base: provider.base,
    log: { info: () => undefined, warn: () => undefined },
    now: () => 400,
  });
  await assert.rejects(other.call('GET', '/'), unavailable(/is not asked/, 600));
  provider.pass(1_000);
  const before = provider.asked();
  const probes = await Promise.allSettled([call(), call(), call()]);
  assert.equal(provider.asked(), before + 1);
  assert.ok(probes.every(({ status }) => status === 'rejected'));
  await assert.rejects(call(), unavailable(/is not asked/, 2_000));
  // A probe whose caller gives up leaves its place to the next.
  provider.pass(2_000);
  const gives = new AbortController();
  provider.answers(() => gives.abort(new Error('given up')));
  await assert.rejects(provider.call('GET', '/', { signal: gives.signal }), /given up/);
  provider.answers(404);
  await assert.rejects(call(), ProviderRefused);
  provider.answers(200, {}, '{}');
  await Promise.all([call(), call(), call()]);
  assert.deepEqual(
    provider.lines.map((line) => (JSON.parse(line) as [unknown, string])[1]),
    ['a provider fails: it is left alone for a while', 'a provider answers again'],
  );
});

test('limits of one account do not close the address to others, and pauses grow to a minute', async () => {
  await using provider = await createProvider();
  const call = () => provider.call('GET', '/');
  provider.answers(429, { 'retry-after': '60' });
  for (let count = 0; count < 8; count += 1) await assert.rejects(call(), unavailable(/429/, 60_000));
  provider.answers(503, { 'retry-after': '30' });
  for (let failure = 0; failure < 5; failure += 1) await assert.rejects(call(), unavailable(/503/, 30_000));
  await assert.rejects(call(), unavailable(/is not asked/, 30_000));
  provider.answers(503);
  for (let probe = 0; probe < 8; probe += 1) {
    provider.pass(60_000);
    await assert.rejects(call(), unavailable(/answered 503/));
  }
  await assert.rejects(call(), unavailable(/is not asked/, 60_000));
});

test('no path, header or base leads elsewhere or tells a secret', async () => {
  await using provider = await createProvider();
  for (const path of [
    'orders',
    '//x/../..',
    '/../admin',
    '/%2e%2E/admin',
    '/.',
    '/a?b=c',
    '/a#b',
    '/a\\b',
    '@evil.example',
    '',
  ])
    await assert.rejects(provider.call('GET', path), TypeError, path);
  assert.equal(provider.asked(), 0);
  await provider.call('GET', '//evil.example/x');
  assert.equal(provider.asked(), 1);
  await assert.rejects(provider.call('GET', '/', { headers: { authorization: 'sk_live_1\nx' } }), (error: unknown) => {
    assert.doesNotMatch(String(error), /sk_live/);
    return true;
  });
  for (const base of [
    'http://api.example',
    'https://u:p@api.example',
    'https://api.example/?a',
    'ftp://localhost',
    'x',
  ])
    assert.throws(
      () => createProviderClient({ name: 'acme', base, log: { info: () => undefined, warn: () => undefined } }),
      /the base address of acme must be https/,
      base,
    );
});

test('goes on asking a provider that answers too much: what is in one account stops no other', async () => {
  await using provider = await createProvider();
  provider.answers((_, response) => response.end(JSON.stringify('x'.repeat(2_100_000))));
  for (let n = 0; n < 8; n += 1)
    await assert.rejects(provider.call('GET', '/of-one'), unavailable(/more than 2097152/));
  provider.answers(200, {}, '{}');
  assert.equal((await provider.call('GET', '/of-another')).status, 200);
});
