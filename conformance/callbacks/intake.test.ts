import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createWorld, type Serving, type World } from '@steward/conformance/world';
import { openPool, sql, type SqlPool } from '@steward/sql';
import { configured, type Configured, type Deployed, deploymentSecrets, signers, variables } from './configured.ts';
import { forged } from './forged.ts';
import { callbackRoutes, type CallbackRoute } from './routes.ts';

const mostBytes = 2 * 1024 * 1024;

/** Sends half a body to an address and waits: what comes back, and after how many milliseconds the connection ends. */
async function halfABody(address: string): Promise<string> {
  const { hostname, port, pathname, search, host } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      );
    });
    const drip = setInterval(() => socket.write(' '), 2_000);
    let got = '';
    socket.on('data', (chunk) => (got += String(chunk)));
    socket.on('error', reject);
    socket.on('close', () => {
      clearInterval(drip);
      resolve(got);
    });
  });
}

describe('what comes to an address of providers', () => {
  const stack = new AsyncDisposableStack();
  let world: World;
  let bare: Serving;
  let routes: CallbackRoute[];
  let ways: Configured[];
  let admin: SqlPool;
  let slow: Promise<string>[];
  before(async () => {
    world = stack.use(await createWorld(variables));
    bare = await world.beside(Object.fromEntries(Object.keys(variables).map((name) => [name, ''])));
    admin = stack.use(openPool({ url: world.db.adminUrl, size: 1 }));
    routes = await callbackRoutes(world.server);
    slow = routes.map(async ({ url }) => halfABody(url));
    ways = await configured(world, routes);
  });
  after(async () => stack.disposeAsync());

  const post = async (url: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: body as BodyInit,
    });
    const { code } = (await answer.json()) as { readonly code?: string };
    return [answer.status, code];
  };
  const kept = async (): Promise<unknown> =>
    (await admin.query(sql`select count(*)::int as deliveries from callbacks.delivery`))[0]?.['deliveries'];
  const signedBy = ({ provider, secret }: Deployed, body: string, time?: number) =>
    signers[provider]?.(secret, body, time) ?? {};

  test('every route is tried: each is configured with every provider that it takes', () => {
    assert.ok(routes.length > 0);
    const tried = new Set(ways.map(({ path }) => path));
    assert.deepEqual(
      routes.filter(({ path }) => !tried.has(path)).map(({ path }) => path),
      [],
      'configured.ts gives each route a secret',
    );
    const providers = [...new Set(ways.map(({ provider }) => provider))];
    assert.deepEqual(
      providers.filter((provider) => forged[provider] === undefined),
      [],
      'forged.ts has a request of each provider',
    );
  });

  test('without a secret the route is there, says so, and keeps nothing', async () => {
    const served = await callbackRoutes(bare);
    assert.deepEqual(
      served.map(({ path }) => path),
      routes.map(({ path }) => path),
    );
    const unknown = '?c=01900000-0000-7000-8000-000000000000';
    for (const { url } of served)
      for (const [provider, make] of Object.entries(forged)) {
        const { body, headers } = make();
        for (const address of [url, `${url}${unknown}`, `${url}?c=nothing`])
          assert.deepEqual(
            await post(address, body, headers),
            [503, 'provider_not_configured'],
            `${address} ${provider}`,
          );
      }
    for (const { url } of routes)
      assert.deepEqual(await post(`${url}${unknown}`, '{}'), [503, 'provider_not_configured'], url);
    assert.equal(await kept(), 0);
  });

  test('a signature of somebody else is refused, and so is a request without one, in whichever form it comes', async () => {
    for (const { url, provider } of ways) {
      const { body, headers } = forged[provider]?.() ?? { body: '', headers: {} };
      assert.deepEqual(await post(url, body, headers), [401, 'callback_unverified'], `${provider} ${url}`);
      for (const [name, value] of Object.entries(headers))
        for (const changed of [
          '',
          '=',
          'x',
          `${value},${value}`,
          `${value}0`,
          value.slice(1),
          '0'.repeat(8_000),
          `t=1,v1=${'é'}`.replace('é', '%'),
        ]) {
          const [status, code] = await post(url, body, { ...headers, [name]: changed });
          const refused = [400, 401, 415].includes(Number(status)) && code !== undefined;
          // Braintree and Adyen sign in the body: their content type is no signature.
          assert.ok(refused, `${provider} ${name}: ${changed.slice(0, 40)} → ${status} ${code}`);
        }
      for (const malformed of ['', '{', '[]', 'null', '\u0000', '{"id":1,"id":2}', '['.repeat(100_000)]) {
        const [status] = await post(url, malformed, headers);
        assert.ok([400, 401].includes(Number(status)), `${provider}: ${malformed.slice(0, 20)} → ${status}`);
      }
    }
    assert.equal(await kept(), 0);
  });

  test('what is genuine and no event is malformed; what is stale, or from the future, is not genuine', async () => {
    const now = Math.floor(Date.now() / 1000);
    const event = JSON.stringify({ id: 'evt_1', type: 'x', livemode: false, data: { object: {} } });
    for (const { path, url } of routes) {
      const own = deploymentSecrets[path];
      if (own === undefined) continue;
      const ofStripe = [
        '{"id":1,"id":2}',
        '{"id":"","type":"x"}',
        '{"id":"evt_1"}',
        `{"id":"${'x'.repeat(201)}","type":"x"}`,
      ];
      const others = own.provider === 'stripe' ? ofStripe : ['{"id":1,"myshopify_domain":"other.myshopify.com"}'];
      for (const body of ['', '{', '[]', 'null', ...others])
        assert.deepEqual(
          await post(url, body, signedBy(own, body)),
          [400, 'callback_malformed'],
          `${path} ${body.slice(0, 30)}`,
        );
      // Others sign no time.
      for (const time of own.provider === 'stripe' ? [now - 400, now + 400, 1, 999_999_999_999] : [])
        assert.deepEqual(
          await post(url, event, signedBy(own, event, time)),
          [401, 'callback_unverified'],
          `${path} ${time}`,
        );
      const changed = event.replace('evt_1', 'evt_2');
      assert.deepEqual(await post(url, changed, signedBy(own, event)), [401, 'callback_unverified'], path);
    }
    assert.equal(await kept(), 0);
  });

  test('each route that one provider calls refuses the secrets of the others', async () => {
    const body = JSON.stringify({ id: 'evt_1', type: 'x', livemode: false, data: { object: {} } });
    for (const { path, url } of routes) {
      const own = deploymentSecrets[path];
      if (own === undefined) continue;
      for (const [other, { secret }] of Object.entries(deploymentSecrets))
        if (other !== path)
          assert.deepEqual(
            await post(url, body, signedBy({ ...own, secret }, body)),
            [401, 'callback_unverified'],
            `${path} by ${other}`,
          );
    }
    assert.equal(await kept(), 0);
  });

  test('2 MiB is read, and not a byte more, whether its length is told or not; what is packed is not read at all', async () => {
    for (const { url, provider } of ways) {
      const headers = forged[provider]?.().headers ?? {};
      const [status] = await post(url, Buffer.alloc(mostBytes, 0x20), headers);
      assert.ok([400, 401].includes(Number(status)), `${provider}: ${status}`);
      assert.deepEqual(await post(url, Buffer.alloc(mostBytes + 1, 0x20), headers), [413, 'payload_too_large'], url);
      const unsaid = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        duplex: 'half',
        body: new ReadableStream({
          pull: (to) => to.enqueue(Buffer.alloc(256 * 1024, 0x20)),
        }),
      } as RequestInit).then(
        async (answer) => answer.status,
        () => 'cut',
      );
      assert.ok([413, 'cut'].includes(unsaid), `${url}: ${unsaid}`);
      assert.deepEqual(
        await post(url, '{}', { ...headers, 'content-encoding': 'gzip' }),
        [415, 'unsupported_content_encoding'],
        url,
      );
    }
    assert.equal(await kept(), 0);
  });

  test('another method is refused, with those that there are', async () => {
    for (const { url, methods } of routes)
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        if (methods.includes(method)) continue;
        const answer = await fetch(url, { method, ...(method === 'GET' ? {} : { body: '{}' }) });
        assert.equal(answer.status, 405, `${method} ${url}`);
        assert.match(answer.headers.get('allow') ?? '', /POST/);
      }
    assert.equal(await kept(), 0);
  });

  test('a body that never ends is cut off, while others are answered', async () => {
    const answers = await Promise.all(slow);
    for (const answer of answers) assert.match(answer, /^(?:HTTP\/1\.1 408 |$)/);
    assert.equal(await kept(), 0);
    assert.doesNotMatch(world.server.output(), /internal_error/);
  });
});
