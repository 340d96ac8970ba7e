import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { legacy } from '../fixtures/requests.ts';
import { startWorld, type World } from '../fixtures/world.ts';

const page = 'https://inspector.example.com';

describe('a client in a browser, of an origin that is allowed', () => {
  let world: World;
  before(async () => {
    world = await startWorld({ origins: [page] });
  });
  after(async () => world[Symbol.asyncDispose]());
  const preflight = async (origin: string, path = '/mcp') =>
    world.fetch(`${new URL(world.addresses.mcp).origin}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,mcp-method,mcp-param-limit,x-tenant-id,cookie',
      },
    });

  test('may send what a call takes, and read the answer, its challenge and its id', async () => {
    for (const path of ['/mcp', '/rpc', '/mcp/p/crm', '/mcp/manifest']) {
      const { status, headers } = await preflight(page, path);
      assert.deepEqual([status, headers.get('access-control-allow-origin')], [204, page], path);
      assert.equal(
        headers.get('access-control-allow-headers'),
        'authorization, content-type, mcp-method, mcp-param-limit, x-tenant-id',
      );
      assert.equal(headers.get('access-control-allow-credentials'), null);
    }
    const answer = await world.post('/mcp', legacy('ping'), { origin: page });
    assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, page]);
    assert.equal(answer.headers.get('vary'), 'origin');
    const refused = await world.post('/mcp', legacy('ping'), { origin: page, authorization: 'Bearer nobody' });
    assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [401, page]);
    assert.match(refused.headers.get('access-control-expose-headers') ?? '', /www-authenticate/);
  });

  test('is the only one: others are refused, and told nothing', async () => {
    for (const origin of ['https://evil.example.com', 'null', `${page}:444`, `${page}.evil.example`]) {
      const { status, headers } = await preflight(origin);
      assert.deepEqual([status, headers.get('access-control-allow-origin')], [405, null], origin);
      const answer = await world.post('/mcp', legacy('ping'), { origin });
      assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [403, null], origin);
    }
  });
});
