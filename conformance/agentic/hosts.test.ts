import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type Agent, createWorld, hireAgent, type Json, type World } from '@steward/conformance/world';
import { publicJwk, sign } from '@steward/http-signatures';
import { newId } from '@steward/kernel';
import { type DnsServer, startDns, startHttps } from '@steward/testing';

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Json;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

const host = 'shop.acme.example';
const servicesOf = (profile: Json): Json[] =>
  (profile['ucp']?.['services']?.['dev.ucp.shopping'] ?? []) as unknown as Json[];

describe('the host of a brand', () => {
  const stack = new AsyncDisposableStack();
  let world: World;
  let dns: DnsServer;
  let agent: Agent;
  let seller: Agent;
  let approver: string;
  let brandId: string;
  let variantId: string;
  let hostId: string;
  let profile: string;
  let port: number;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  before(async () => {
    dns = stack.use(await startDns());
    const platform = stack.use(
      await startHttps((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const version = '2026-08-25';
        const names = ['checkout', 'cart', 'order', 'catalog.search', 'discount', 'fulfillment'];
        const capabilities = Object.fromEntries(names.map((name) => [`dev.ucp.shopping.${name}`, [{ version }]]));
        response.end(JSON.stringify({ ucp: { version, capabilities }, keys: [publicJwk(privateKey)] }));
      }),
    );
    profile = `${platform.url}/.well-known/ucp`;
    world = stack.use(await createWorld({ AGENT_PROFILES_FROM_LOOPBACK: 'allow', BRAND_HOST_DNS: dns.address }));
    port = Number(new URL(world.server.addresses.commerce).port);
    agent = stack.use(await hireAgent(world, 'owner@example.com', 'commerce'));
    seller = stack.use(await hireAgent(world, 'owner@example.com', 'commerce/selling'));
    approver = await world.token({ user: 'owner@example.com', approver: true });
    const { body } = await world.call(`${world.server.addresses.portal}/api/brands`, {
      token: agent.token,
      tenant: agent.tenant,
    });
    brandId = String((body['items'] as unknown as Json[])[0]?.['id']);
    const { products } = await agent.call('service_create_products', {
      products: [
        {
          title: 'Gift [card](https://evil.example) </script> <b>',
          status: 'active',
          brand_ids: [brandId],
          variants: [{ prices: [{ amount: '25.00', currency: 'USD' }], requires_shipping: false }],
        },
        {
          title: 'Unfinished',
          status: 'draft',
          brand_ids: [brandId],
          variants: [{ prices: [{ amount: '1.00', currency: 'USD' }] }],
        },
        { title: 'Sold elsewhere', status: 'active', brand_ids: [], variants: [{}] },
      ],
    });
    const [product] = products as unknown as Json[];
    const whole = await agent.call('service_get_product', { product_id: String(product?.['id']) });
    const variants = whole['product']?.['variants'] as unknown as Json[] | undefined;
    variantId = String(variants?.[0]?.['id']);
    await seller.call('service_create_signing_key', { brand_id: brandId });
    for (const protocol of ['ucp', 'acp'])
      await decide('PATCH', `/brands/${brandId}/agentic-commerce`, { protocol, active: true, mode: 'live' });
  });
  after(async () => stack.disposeAsync());

  const decide = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await world.call(`${world.server.addresses.commerce}/api${path}`, {
      token: approver,
      tenant: agent.tenant,
      method,
      ...(body === undefined ? {} : { body }),
    });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  /** As a client at a host, wherever DNS says that is. */
  const at = async (name: string | undefined, path: string, { method = 'GET', headers = {}, text }: Asked = {}) =>
    new Promise<Got>((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          path,
          method,
          agent: false,
          setHost: false,
          headers: { ...(name === undefined ? {} : { host: name }), ...headers },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const told = Buffer.concat(chunks).toString();
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: told,
              body: (told.startsWith('{') ? JSON.parse(told) : {}) as Json,
            });
          });
        },
      );
      sent.on('error', reject).end(text);
    });
  const statusOf = async (name: string, path: string, asked?: Asked): Promise<number> =>
    (await at(name, path, asked)).status;
  const origin = (): string => `http://${host}:${port}`;

  test('is nothing before a person approved it and DNS says that it is the brand’s', async () => {
    const paths = [
      '/.well-known/ucp',
      '/.well-known/agent-card.json',
      '/.well-known/acp.json',
      '/llms.txt',
      '/.well-known/api-catalog',
    ];
    for (const path of paths) assert.equal(await statusOf(host, path), 404, path);
    const asked = { brand_id: brandId, host: 'Shop.Acme.Example' };
    await seller.call('service_claim_brand_host', asked);
    assert.deepEqual((await decide('GET', `/brands/${brandId}/hosts`))['items'], []);
    const claimed = await decide('POST', `/brands/${brandId}/hosts`, { host: asked.host });
    hostId = String(claimed['id']);
    assert.equal(String(claimed['host']), host);
    for (const path of paths) assert.equal(await statusOf(host, path), 404, path);
    const record = claimed['record'] as Json;
    dns.texts.set(String(record['name']), [String(record['value'])]);
    assert.equal(String(record['name']), `_steward-challenge.${host}`);
    const verified = await seller.call('service_verify_brand_host', { host_id: hostId });
    assert.equal(String(verified['host']?.['status']), 'verified');
    for (const path of paths) assert.equal(await statusOf(host, path), 200, path);
  });

  test('shows the doors at its root, at addresses of its own, cached as the protocols say', async () => {
    const ucp = await at(host, '/.well-known/ucp');
    assert.match(ucp.headers['cache-control'] ?? '', /^public, max-age=(?:[6-9]\d|\d{3,})$/);
    const services = servicesOf(ucp.body);
    assert.deepEqual(
      services.map(({ endpoint }) => String(endpoint)),
      [`${origin()}/ucp`, `${origin()}/ucp/mcp`, `${origin()}/ucp/.well-known/agent-card.json`],
    );
    const { etag = '' } = ucp.headers;
    assert.equal((await at(host, '/.well-known/ucp', { headers: { 'if-none-match': etag } })).status, 304);
    const older = Object.values(ucp.body['ucp']?.['supported_versions'] ?? {}).map(String);
    for (const url of older) {
      assert.ok(url.startsWith(`${origin()}/`), url);
      assert.equal(await statusOf(host, new URL(url).pathname), 200);
    }
    const acp = await at(host, '/.well-known/acp.json');
    assert.equal(String(acp.body['api_base_url']), `${origin()}/acp`);
    assert.match(acp.headers['cache-control'] ?? '', /^public, max-age=(?:3[6-9]\d\d|\d{5,})$/);
    assert.equal(
      (await at(host, '/.well-known/acp.json', { headers: { 'if-none-match': acp.headers.etag ?? '' } })).status,
      304,
    );
    const catalog = await at(host, '/.well-known/api-catalog');
    assert.match(catalog.headers['content-type'] ?? '', /^application\/linkset\+json/);
    const [index] = catalog.body['linkset'] as unknown as Json[];
    assert.deepEqual(index?.['item'], [{ href: `${origin()}/ucp` }, { href: `${origin()}/acp` }]);
    assert.match(
      String((await at(host, '/.well-known/api-catalog', { method: 'HEAD' })).headers.link),
      /rel="api-catalog"/,
    );
  });

  test('says to models what is sold and how, and nothing that is not published', async () => {
    const { text, headers } = await at(host, '/llms.txt');
    assert.match(headers['content-type'] ?? '', /^text\/plain/);
    assert.match(text, /^# /);
    assert.ok(text.includes(`${origin()}/.well-known/ucp`) && text.includes(`${origin()}/.well-known/acp.json`));
    assert.ok(text.includes('25.00 USD, in stock'), text);
    // The id in a line is that of the product, and only a variant can be bought.
    for (const where of ['/ucp/catalog/lookup', '/acp/feeds/products.jsonl'])
      assert.ok(text.includes(`${origin()}${where}`), text);
    assert.doesNotMatch(text, /Unfinished|Sold elsewhere/);
    assert.doesNotMatch(text, /[^\\](?:\]\(https:\/\/evil|<)/, 'what a product is called is no mark');
    const below = await fetch(`${world.server.addresses.commerce}/agentic/${brandId}/llms.txt`);
    assert.ok((await below.text()).includes(`${world.server.addresses.commerce}/ucp/${brandId}/.well-known/ucp`));
  });

  test('is where the brand says that its doors are', async () => {
    const { doors } = await seller.call('service_get_agentic_commerce', { brand_id: brandId });
    const urls = (doors as unknown as Json[]).map(({ url }) => String(url));
    assert.deepEqual(urls, [`${origin()}/ucp`, `${origin()}/acp`]);
  });

  const signedFor = (authority: string, path: string, text: string): Readonly<Record<string, string>> => {
    const headers = {
      'content-type': 'application/json',
      'ucp-agent': `profile="${profile}"`,
      'idempotency-key': newId(),
    };
    const message = { method: 'POST', url: `http://${authority}${path}`, headers, body: Buffer.from(text) };
    const by = { key: privateKey, keyid: publicJwk(privateKey).kid, algorithm: 'ES256' } as const;
    return { ...headers, ...sign(message, { ...by, fields: ['ucp-agent', 'idempotency-key'] }) };
  };

  test('takes signed requests to the host as it was written, and none that were signed for another address', async () => {
    const path = '/ucp/checkout-sessions';
    const text = JSON.stringify({ line_items: [{ item: { id: variantId }, quantity: 1 }] });
    const asked = async (name: string, authority: string, under = path): Promise<Got> =>
      at(name, path, { method: 'POST', text, headers: signedFor(authority, under, text) });
    const made = await asked(`${host}:${port}`, `${host}:${port}`);
    assert.equal(made.status, 201, made.text);
    assert.ok(
      String(made.body['continue_url']).startsWith(`${origin()}/ucp/checkout/`),
      String(made.body['continue_url']),
    );
    assert.equal((await asked(host, host)).status, 201);
    assert.equal((await asked('SHOP.acme.EXAMPLE', host)).status, 201);
    const own = new URL(world.server.addresses.commerce);
    for (const [name, authority, under] of [
      [host, own.host, path],
      [host, own.host, `${own.pathname}/ucp/${brandId}/checkout-sessions`],
      [host, host, `${own.pathname}/ucp/${brandId}/checkout-sessions`],
      [host, 'other.example', path],
    ] as const) {
      const { status, body } = await asked(name, authority, under);
      assert.deepEqual([status, String(body['code'])], [401, 'signature_invalid'], `${authority}${under}`);
    }
    // What was made at one address is there at the other.
    const id = String(made.body['id']);
    const page = new URL(String(made.body['continue_url']));
    const shown = await at(host, `${page.pathname}${page.search}`, { headers: { accept: 'text/html' } });
    assert.equal(shown.status, 200);
    const sent = await at(host, `${page.pathname}${page.search}`, {
      method: 'POST',
      text: 'intent=save&email=ann%40example.com&first_name=Ann&last_name=Bo',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    if (sent.status === 303) assert.equal(sent.headers.location, `${page.pathname}${page.search}`);
    assert.equal(await statusOf(host, `/ucp/checkout/${id}?t=wrong`), 404);
  });

  test('has nothing else of the platform, nor anything of another brand', async () => {
    const { addresses } = world.server;
    for (const path of [
      '/',
      '/healthz',
      '/readyz',
      '/metrics',
      '/mcp',
      '/rpc',
      '/docs',
      '/openapi.json',
      '/approvals',
      '/portal/api/brands',
      '/accounting/graphql',
      '/api/brands',
      '/idp/.well-known/openid-configuration',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-authorization-server',
      '/commerce/healthz',
      `/commerce/ucp/${brandId}/.well-known/ucp`,
      `/commerce/api/brands/${brandId}/hosts`,
      '/commerce/storefront/v1/products',
      `/ucp/${brandId}/.well-known/ucp`,
      `/ucp/${newId()}/checkout-sessions`,
      '/ucp',
      '/ucpx/',
      '/ucp/../mcp',
      '/ucp/..%2f..%2fapi/brands',
      '/ucp/%2e%2e/%2e%2e/mcp',
      '//mcp',
      '/acp/../../portal/api/brands',
      '/llms.txt/',
      '/.well-known/ucp/../../mcp',
      `${addresses.portal}/api/brands`,
    ])
      for (const method of ['GET', 'POST']) {
        const { status } = await at(host, path, {
          method,
          headers: { authorization: `Bearer ${approver}`, 'x-tenant-id': agent.tenant, 'content-length': '0' },
        });
        if (!path.startsWith('/')) {
          assert.equal(status, 400, `${method} ${path}`);
          continue;
        }
        assert.ok([404, 405].includes(status), `${method} ${path}: ${status}`);
        if (!path.startsWith('/ucp/') && !path.startsWith('/acp/')) assert.equal(status, 404, `${method} ${path}`);
      }
  });

  test('is known by Host alone, in any case, with a port or a dot at its end', async () => {
    for (const name of [host, 'SHOP.ACME.EXAMPLE', `${host}.`, `${host}:80`, `${host}:${port}`, `${host}.:443`]) {
      const { status, body } = await at(name, '/.well-known/ucp');
      assert.equal(status, 200, name);
      const [rest] = servicesOf(body);
      assert.equal(String(rest?.['endpoint']), `${origin()}/ucp`, 'no answer repeats what a stranger wrote');
    }
    for (const name of [
      `x${host}`,
      `${host}x`,
      `evil.${host}`,
      `${host}:443:80`,
      `${host}@127.0.0.1`,
      `a b`,
      '[::1]',
      'localhost',
    ])
      assert.ok((await statusOf(name, '/.well-known/ucp')) >= 400, name);
    // Whoever writes these is no proxy, and no proxy is asked to.
    const forged = { 'x-forwarded-host': host, forwarded: `host=${host}`, 'x-host': host, 'x-original-host': host };
    for (const name of ['127.0.0.1', `127.0.0.1:${port}`, 'other.example'])
      assert.equal(await statusOf(name, '/.well-known/ucp', { headers: forged }), 404, name);
    const other = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const { text } = await at(host, '/.well-known/ucp', { headers: other });
    assert.doesNotMatch(text, /evil/);
    const raw = async (path: string, ...names: readonly string[]): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          const hosts = names.map((name) => `Host: ${name}\r\n`).join('');
          socket.write(`GET ${path} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
        });
        let said = '';
        socket.on('data', (chunk) => (said += chunk.toString())).on('close', () => resolve(said));
      });
    // Whoever passed it on may have meant the other one.
    const own = `127.0.0.1:${port}`;
    for (const [path, ...names] of [
      ['/.well-known/ucp', host, own],
      ['/healthz', own, host],
      ['/healthz', 'nobody.example', host],
      [`http://${own}/healthz`, host],
      [`http://${host}/healthz`, own],
    ] as const)
      assert.match(await raw(path, ...names), /^HTTP\/1\.1 400 /, [path, ...names].join(' '));
    assert.match(await raw(`http://${own}/healthz`, own), /^HTTP\/1\.1 200 /);
  });

  test('changes nothing for the platform at its own address, or for hosts that nobody has', async () => {
    const own = `127.0.0.1:${port}`;
    for (const name of [own, 'localhost', 'other.example']) {
      assert.equal(await statusOf(name, '/healthz'), 200);
      assert.equal(await statusOf(name, '/.well-known/ucp'), 404);
      assert.equal(await statusOf(name, '/llms.txt'), 404);
      assert.equal(await statusOf(name, `/commerce/ucp/${brandId}/.well-known/ucp`), 200);
    }
    const { body } = await at(own, `/commerce/ucp/${brandId}/.well-known/ucp`);
    const [rest] = servicesOf(body);
    assert.equal(String(rest?.['endpoint']), `${world.server.addresses.commerce}/ucp/${brandId}`);
  });

  test('is nothing any more once it is released, at once here and within a second in every other server', async () => {
    await using another = await world.beside();
    const there = Number(new URL(another.addresses.commerce).port);
    const status = async (): Promise<number> =>
      new Promise((resolve, reject) => {
        const asked = { host: '127.0.0.1', port: there, path: '/.well-known/ucp', headers: { host }, agent: false };
        request(asked, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
          .on('error', reject)
          .end();
      });
    assert.equal(await status(), 200);
    await decide('POST', `/brand-hosts/${hostId}/release`, {});
    assert.equal(await statusOf(host, '/.well-known/ucp'), 404);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    assert.equal(await status(), 404);
  });
});
