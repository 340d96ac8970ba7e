import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, afterEach, before, describe, it } from 'node:test';
import { createGuardedFetch } from '@steward/kernel';
import { createClient } from '../../fixtures/client.ts';
import { startHttps } from '@steward/testing';
import { startProvider, type RunningProvider } from '../../fixtures/provider.ts';

const fetching = (loopback: boolean, ports?: readonly number[]) =>
  createGuardedFetch({ accept: 'application/json', userAgent: 'test', loopback, ...(ports && { ports }) });
const redirect = 'http://127.0.0.1/callback';

describe('a client that is known by its address', () => {
  let provider: RunningProvider;
  let home: Awaited<ReturnType<typeof startHttps>>;
  let asked = 0;
  let handle: (request: IncomingMessage, response: ServerResponse) => void;
  before(async () => {
    home = await startHttps((request, response) => {
      asked += 1;
      handle(request, response);
    });
    provider = await startProvider();
  });
  after(async () => {
    await provider[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });
  afterEach(() => {
    asked = 0;
  });
  const document = (id: string, more: object = {}): string =>
    JSON.stringify({
      client_id: id,
      client_name: 'Known',
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'none',
      ...more,
    });

  it('goes through the whole flow with a port of its own choice, and no registration', async () => {
    const id = `${home.url}/client.json`;
    handle = (_request, response) => response.setHeader('content-type', 'application/json').end(document(id));
    const client = createClient(provider);
    const own = 'http://127.0.0.1:51777/callback';
    const login = await client.authorize({ client_id: id, redirect_uri: own, resource: provider.addresses.mcp });
    const consent = await client.browser.go(login.url.href, { action: 'login', email: 'alice@example.com' });
    assert.match(consent.text, /Known/);
    assert.match(consent.text, new RegExp(`<code>${id}</code>`));
    const back = await client.browser.go(consent.url.href, { action: 'allow' });
    const answer = await client.redeem(back, id, own);
    assert.deepEqual([answer.status, typeof answer.body.refresh_token, asked], [200, 'string', 1]);
  });

  it('is refused when its document is another’s, too large, redirected, late or no document', async () => {
    const answers: ((id: string, response: ServerResponse) => void)[] = [
      (_id, response) => response.end(document('https://other.example/client.json')),
      (id, response) => response.end(document(id, { padding: 'x'.repeat(20_000) })),
      (_id, response) => response.writeHead(302, { location: 'https://example.com/' }).end(),
      (id, response) => response.end(document(id, { redirect_uris: ['http://evil.example/'] })),
      (id, response) => response.end(document(id, { client_secret: 'x' })),
      (_id, response) => response.end('<html>'),
      (_id, response) => response.end('null'),
      (_id, response) => response.writeHead(500).end(),
      (_id, response) => response.destroy(),
    ];
    for (const [index, answer] of answers.entries()) {
      const id = `${home.url}/${index}.json`;
      handle = (_request, response) => answer(id, response);
      const page = await createClient(provider).authorize({ client_id: id, redirect_uri: redirect });
      assert.deepEqual([page.status, /role="alert"/.test(page.text)], [400, true], String(index));
    }
  });

  it('is never looked for inside private networks, by address or by name', async () => {
    handle = (_request, response) => response.end();
    const strict = fetching(false, [443, home.port]);
    const inside = [
      `https://127.0.0.1:${home.port}/`,
      `https://[::1]:${home.port}/`,
      `https://[::ffff:127.0.0.1]:${home.port}/`,
      `https://localhost:${home.port}/`,
      `https://2130706433:${home.port}/`,
      'https://10.0.0.1/',
      'https://172.16.0.1/',
      'https://192.168.1.1/',
      'https://169.254.169.254/latest/meta-data',
      'https://100.64.0.1/',
      'https://0.0.0.0/',
      'https://[fd00::1]/',
      'https://[fe80::1]/',
      'https://[64:ff9b::7f00:1]/',
    ];
    for (const address of inside) await assert.rejects(strict(address, {}), /public/, address);
    await assert.rejects(fetching(false)('https://example.com:8443/', {}), /port/);
    assert.equal(asked, 0);
    const lenient = fetching(true);
    await assert.rejects(lenient('https://10.0.0.1/', {}), /public/);
    await assert.rejects(lenient(`http://localhost:${home.port}/`, {}), /https/);
    assert.equal((await lenient(`https://localhost:${home.port}/`, {})).status, 200);
  });

  it('is given up on when it does not answer', async () => {
    handle = () => undefined;
    const asking = fetching(true)(`${home.url}/`, { signal: AbortSignal.timeout(50) });
    await assert.rejects(asking, { name: 'AbortError' });
  });
});
