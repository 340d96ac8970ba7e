import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { tenantA } from '../fixtures/callers.ts';
import { call, legacy, mirrors, modern } from '../fixtures/requests.ts';
import { catalogue } from '../fixtures/catalogue.ts';
import { startWorld, type World } from '../fixtures/world.ts';
import { tool } from '../catalogue/tool.ts';
import { z } from 'zod';

const inA = { 'x-tenant-id': tenantA };
const nested = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
const text = (body: unknown): string => JSON.stringify(body);

describe('hostile input', () => {
  let world: World;
  let waiting: PromiseWithResolvers<AbortSignal>;
  before(async () => {
    const patient = tool({
      ...(catalogue[0] as (typeof catalogue)[0]),
      name: 'service_wait_things',
      kind: 'query',
      input: z.object({}),
      run: async ({ signal }) => {
        waiting.resolve(signal);
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return { summary: 'Waited.' };
      },
    });
    world = await startWorld({ catalogue: [...catalogue, patient] });
  });
  after(async () => world[Symbol.asyncDispose]());

  const values = [null, true, 7, -1, 1.5, 1e300, '', 'x', '\u0000', '\ud83d', '__proto__', [], [[]], {}, { a: {} }];

  test('of any type in any field is a 4xx or an answer, never a failure of ours', async () => {
    const fields = ['jsonrpc', 'id', 'method', 'params'];
    const params = ['name', 'arguments', '_meta', 'cursor', 'protocolVersion', 'inputResponses', 'requestState'];
    for (const value of values) {
      const bodies = [
        ...fields.map((field) => text({ ...(call('service_list_things') as object), [field]: value })),
        ...['tools/call', 'tools/list', 'initialize', 'server/discover'].flatMap((method) =>
          params.map((field) => text(legacy(method, { name: 'service_list_things', [field]: value }))),
        ),
        ...['limit', 'filter', 'tenant_id', 'idempotency_key', 'preview', '__proto__'].map((field) =>
          text(call('service_list_things', JSON.parse(`{${text(field)}:${text(value)}}`))),
        ),
      ];
      for (const body of bodies) {
        for (const headers of [
          inA,
          {
            ...inA,
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'tools/call',
            'mcp-name': 'service_list_things',
          },
        ]) {
          const { status } = await world.post('/mcp', body, headers);
          assert.ok(status < 500, `${status} for ${body}`);
        }
      }
    }
  });

  test('in modern fields and headers is refused by a code', async () => {
    for (const value of values) {
      for (const field of ['protocolVersion', 'clientCapabilities', 'clientInfo', 'logLevel']) {
        const request = modern('tools/call', { name: 'service_list_things' }) as { params: { _meta: object } };
        request.params._meta = { ...request.params._meta, [`io.modelcontextprotocol/${field}`]: value };
        const { status } = await world.post('/mcp', request, {
          ...inA,
          ...mirrors('tools/call', 'service_list_things'),
        });
        assert.ok(status < 500, `${field} ${text(value)}`);
      }
    }
    for (const header of [
      'mcp-method',
      'mcp-name',
      'mcp-protocol-version',
      'x-tenant-id',
      'x-request-id',
      'if-none-match',
    ]) {
      for (const value of ['', ' ', '=?base64??=', '=?base64?////?=', 'é', 'x'.repeat(8000), ',', '*']) {
        const headers = { ...inA, ...mirrors('tools/call', 'service_list_things'), [header]: value };
        const { status } = await world.post('/mcp', modern('tools/call', { name: 'service_list_things' }), headers);
        assert.ok(status < 500, `${header}: ${value.slice(0, 20)}`);
      }
    }
  });

  test('in the shape of JSON is refused before anything is made of it', async () => {
    for (const [body, status] of [
      [`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${nested(40)}}}`, 400],
      [nested(100_000), 400],
      ['{"a":'.repeat(50_000), 400],
      [`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\\ud800"}}`, 400],
      [`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"\\u0000":1}}`, 400],
      [`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"a":2}}`, 400],
      [`{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}`, 400],
      [`\ufeff${text(legacy('ping'))}`, 400],
      [text(legacy('ping')).repeat(2), 400],
      [text(legacy('ping', { a: 'x'.repeat(1_000_000) })), 200],
      [text(legacy('ping', { a: 'x'.repeat(1_100_000) })), 413],
      [text(legacy('ping', { a: 'x'.repeat(5_000_000) })), 413],
      [text(legacy('ping', Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, at])))), 200],
      [text(legacy('ping', Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, at])))), 400],
      [`["\\n",${'"",'.repeat(300_000)}1]`, 400],
    ] as const) {
      assert.equal((await world.post('/mcp', body)).status, status, body.slice(0, 60));
    }
    const invalidUtf8 = await world.fetch(world.addresses.mcp, {
      method: 'POST',
      headers: { authorization: 'Bearer alice', 'content-type': 'application/json' },
      body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]),
    });
    assert.equal(invalidUtf8.status, 400);
  });

  test('on the wire leaves the server answering others', async () => {
    const { hostname, port } = new URL(world.addresses.mcp);
    const head = `POST /mcp HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer alice\r\nContent-Type: application/json\r\n`;
    for (const raw of [
      `${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{"a":1`,
      `${head}Content-Length: -1\r\n\r\n`,
      `${head}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n`,
      `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      `${head}X: ${'x'.repeat(20_000)}\r\n\r\n`,
      'GET / HTTP/9.9\r\n\r\n',
      '\0\0\0\0',
    ]) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.end(raw);
      let answer = '';
      for await (const chunk of socket) answer += String(chunk);
      assert.doesNotMatch(answer, /^HTTP\/1\.1 5/, raw.slice(0, 80));
    }
    assert.equal((await world.post('/mcp', legacy('ping'))).status, 200);
  });

  test('a client that leaves in the middle of a call aborts it', async () => {
    waiting = Promise.withResolvers();
    const leaving = new AbortController();
    const left = fetch(world.addresses.mcp, {
      method: 'POST',
      headers: { authorization: 'Bearer alice', 'content-type': 'application/json', ...inA },
      body: text(call('service_wait_things')),
      signal: leaving.signal,
    });
    const signal = await waiting.promise;
    assert.equal(signal.aborted, false);
    const aborted = new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    leaving.abort();
    await assert.rejects(left);
    await aborted;
    assert.equal((await world.post('/mcp', legacy('ping'))).status, 200);
  });
});
