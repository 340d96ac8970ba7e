import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { tenantA, tenantB } from '../fixtures/callers.ts';
import { call, legacy } from '../fixtures/requests.ts';
import { startWorld, type World } from '../fixtures/world.ts';

describe('the door of the tool endpoint', () => {
  let world: World;
  before(async () => {
    world = await startWorld({ bodyMilliseconds: 200 });
  });
  after(async () => world[Symbol.asyncDispose]());

  const bearer = { authorization: 'Bearer alice', 'content-type': 'application/json' };
  const send = async (path: string, init: RequestInit = {}) =>
    world.fetch(new URL(path, world.addresses.mcp).href, { headers: bearer, ...init });

  for (const path of ['/mcp', '/mcp/', '/rpc', `/mcp/t/${tenantA}`, '/mcp/p/crm', `/rpc/t/${tenantA}/p/crm`]) {
    test(`${path} takes POST alone`, async () => {
      for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) {
        const answer = await send(path, { method });
        assert.equal(answer.status, 405, method);
        assert.equal(answer.headers.get('allow'), 'POST');
      }
      assert.equal((await world.post(path, legacy('ping'))).status, 200);
    });
  }

  test('the SSE addresses are gone on every verb, for whoever asks, at the origin and under the endpoint', async () => {
    for (const path of ['/sse', '/messages', '/mcp/sse', '/mcp/messages', '/messages/1', '/sse?sessionId=1']) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        const answer = await send(path, { method, headers: {} });
        assert.equal(answer.status, 410, `${method} ${path}`);
        assert.equal(answer.json['code'], 'legacy_sse_retired');
        assert.equal(answer.headers.get('content-type'), 'application/problem+json');
      }
    }
  });

  test('an address that is none is a 404', async () => {
    for (const path of [
      '/mcp/nothing',
      '/mcp/t/',
      '/mcp/t/x',
      '/mcp/p/none',
      `/mcp/t/${tenantA}/x`,
      '/mcp/p/crm/p/crm',
    ]) {
      assert.equal((await send(path, { method: 'POST' })).status, 404, path);
    }
  });

  test('a foreign Host or Origin is refused before anything is asked about the caller', async () => {
    const { host, port } = new URL(world.addresses.mcp);
    const statusWith = async (headers: Record<string, string>, url: string = world.addresses.mcp): Promise<number> =>
      new Promise((resolve, reject) => {
        const outgoing = request(url, { method: 'POST', headers: { ...bearer, ...headers } }, (incoming) => {
          incoming.resume();
          resolve(incoming.statusCode ?? 0);
        });
        outgoing.on('error', reject);
        outgoing.end(JSON.stringify(legacy('ping')));
      });
    for (const evil of ['evil.example', `evil.example:${port}`, `${host}.evil.example`, 'localhost:1']) {
      assert.equal(await statusWith({ host: evil, authorization: '' }), 403, `Host ${evil}`);
      const { internal } = world;
      assert.equal(await statusWith({ host: evil, authorization: '' }, internal), 403, `internal Host ${evil}`);
    }
    for (const evil of ['https://evil.example', 'null', `http://${host}.evil.example`, '']) {
      assert.equal(await statusWith({ host, origin: evil, authorization: '' }), 403, `Origin ${evil}`);
    }
    for (const own of [host, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      assert.equal(await statusWith({ host: own, origin: `http://${own}` }), 200, own);
    }
  });

  test('a caller without a token is told where to get one, for the address it asked at', async () => {
    for (const [path, suffix] of [
      ['/mcp', '/mcp'],
      ['/rpc', '/rpc'],
      [`/mcp/t/${tenantA}/p/crm`, `/mcp/t/${tenantA}/p/crm`],
      ['/mcp/manifest', '/mcp'],
    ] as const) {
      const method = path.endsWith('manifest') ? 'GET' : 'POST';
      const answer = await send(path, { method, headers: {} });
      assert.equal(answer.status, 401);
      const metadata = `${new URL(world.addresses.mcp).origin}/.well-known/oauth-protected-resource${suffix}`;
      assert.equal(
        answer.headers.get('www-authenticate'),
        `Bearer scope="mcp:read mcp:write", resource_metadata="${metadata}"`,
      );
      assert.equal(answer.json['code'], 'unauthenticated');
    }
    const expired = await world.post('/mcp', legacy('ping'), { authorization: 'Bearer nobody' });
    assert.equal(expired.status, 401);
    assert.match(expired.headers.get('www-authenticate') ?? '', /^Bearer error="invalid_token", /);
  });

  test('a token for one address opens it and those that narrow it, and a token for the endpoint all of them', async () => {
    const { mcp, mcpAlias } = world.addresses;
    const status = async (path: string, audience: string): Promise<number> =>
      (await world.post(path, legacy('ping'), { authorization: `Bearer for:${audience}` })).status;
    assert.equal(await status(`/mcp/t/${tenantA}`, `${mcp}/t/${tenantA}`), 200);
    for (const path of [`/mcp/t/${tenantA}/p/crm`, `/mcp/t/${tenantA}/p/accounting/bank`])
      assert.equal(await status(path, `${mcp}/t/${tenantA}`), 200, path);
    assert.equal(await status(`/mcp/t/${tenantA}/p/accounting/bank`, `${mcp}/t/${tenantA}/p/accounting`), 200);
    assert.equal(await status('/mcp/p/accounting/bank', `${mcp}/p/accounting`), 200);
    for (const path of [
      '/mcp',
      '/mcp/p/crm',
      `/mcp/t/${tenantB}`,
      `/mcp/t/${tenantB}/p/crm`,
      `/rpc/t/${tenantA}/p/crm`,
    ])
      assert.equal(await status(path, `${mcp}/t/${tenantA}`), 401, path);
    for (const path of [`/mcp/t/${tenantA}`, `/mcp/t/${tenantA}/p/accounting/bank`, `/mcp/t/${tenantA}/p/crm`])
      assert.equal(await status(path, `${mcp}/t/${tenantA}/p/accounting/books`), 401, path);
    for (const path of ['/mcp', '/rpc', '/mcp/p/crm', `/rpc/t/${tenantA}`])
      assert.equal(await status(path, mcp), 200, path);
    assert.equal(await status('/rpc/p/crm', mcpAlias), 200);
    assert.equal(await status('/mcp', mcpAlias), 401);
  });

  test('a token in the address is refused, with or without one in the header', async () => {
    for (const query of ['access_token=alice', 'token=alice', 'x=1&access_token=alice', 'access%5Ftoken=alice']) {
      const beside = await world.post(`/mcp?${query}`, legacy('ping'));
      assert.deepEqual([beside.status, beside.json['code']], [400, 'invalid_request'], query);
      const alone = await world.fetch(`${world.addresses.mcp}?${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(legacy('ping')),
      });
      assert.deepEqual([alone.status, alone.json['code']], [401, 'unauthenticated'], query);
      assert.match(alone.headers.get('www-authenticate') ?? '', /^Bearer .*resource_metadata="http/);
    }
    for (const query of ['project=1', 'constructor=1', '__proto__=1'])
      assert.equal((await world.post(`/mcp?${query}`, legacy('ping'))).status, 200, query);
  });

  test('a tenant or a pillar behind the path is refused, since another one would be reached', async () => {
    for (const query of [
      'tenant_id=1',
      'a=1&Tenant=1',
      'tenant%5Fid=1',
      'tenantId=1',
      'org_id=1',
      'pillar=crm',
      'area=bank',
    ]) {
      const { status, json } = await world.post(`/mcp?${query}`, legacy('ping'));
      assert.deepEqual([status, json['code']], [400, 'invalid_request'], query);
      assert.match(String(json['detail']), /…\/[tp]\/</, query);
    }
    const manifest = await world.fetch(`${world.addresses.mcp}/manifest?tenant_id=1`);
    assert.equal(manifest.status, 400);
  });

  test('what is not JSON as it stands is a 415, and too much of it a 413', async () => {
    for (const type of ['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded', '']) {
      assert.equal((await world.post('/mcp', legacy('ping'), { 'content-type': type })).status, 415, type);
    }
    assert.equal((await world.post('/mcp', legacy('ping'), { 'content-encoding': 'gzip' })).status, 415);
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset=UTF-8']) {
      assert.equal((await world.post('/mcp', legacy('ping'), { 'content-type': type })).status, 200, type);
    }
    const large = legacy('ping', { pad: 'x'.repeat(5_000_000) });
    assert.equal((await world.post('/mcp', large)).status, 413);
  });

  test('a body of unknown length is cut off at the limit', async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)),
    });
    const init = { method: 'POST', headers: bearer, body, duplex: 'half' } as RequestInit;
    const answer = await send('/mcp', init).catch(() => undefined);
    // Told, or cut off while still sending.
    assert.ok(answer === undefined || answer.status === 413);
  });

  test('a body that does not come is answered 408 and the connection closed', async () => {
    const { hostname, port } = new URL(world.addresses.mcp);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer alice\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"json`,
    );
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    assert.match(text, /^HTTP\/1\.1 408 /);
    assert.match(text, /"code":"request_timeout"/);
    assert.match(text, /connection: close/i);
  });

  test('requests sent one behind the other are answered in that order', async () => {
    const { hostname, port } = new URL(world.addresses.mcp);
    const socket = connect(Number(port), hostname);
    const bodies = Array.from({ length: 20 }, (_, id) =>
      JSON.stringify(id % 2 === 0 ? legacy('ping', {}, id) : { ...(call('service_list_orgs') as object), id }),
    );
    const head = `POST /mcp HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer alice\r\nContent-Type: application/json\r\n`;
    socket.write(bodies.map((body) => `${head}Content-Length: ${body.length}\r\n\r\n${body}`).join(''));
    let text = '';
    for await (const chunk of socket) {
      text += String(chunk);
      if (text.includes('"id":19}')) break;
    }
    assert.deepEqual(
      [...text.matchAll(/"id":(\d+)\}/g)].map(([, id]) => Number(id)),
      bodies.map((_, id) => id),
    );
  });

  test('a request keeps its id, and gets one where it has none', async () => {
    const given = await world.post('/mcp', legacy('ping'), { 'x-request-id': 'trace-1' });
    assert.equal(given.headers.get('x-request-id'), 'trace-1');
    const made = await world.post('/mcp', legacy('ping'), { 'x-request-id': 'bad id' });
    assert.match(made.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    const refused = await send('/mcp', { headers: { 'x-request-id': 'trace-2' } });
    assert.equal(refused.json['requestId'], 'trace-2');
  });

  test('a token seen for the first time is waited for', async () => {
    const first = await world.post('/mcp', legacy('ping'), { authorization: 'Bearer late-alice' });
    assert.equal(first.status, 200);
    const none = await world.post('/mcp', legacy('ping'), { authorization: 'Bearer late-nobody' });
    assert.equal(none.status, 401);
  });

  test('what the endpoint did is counted by route and status', async () => {
    const text = await world.metrics.registry.metrics();
    assert.match(text, /steward_http_request_seconds_count\{method="POST",route="\/mcp",status="200"\} \d+/);
    assert.match(text, /steward_http_request_seconds_count\{method="POST",route="\/mcp",status="413"\} \d+/);
  });
});
