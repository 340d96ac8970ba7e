import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createShopify, type Shopify } from '@steward/marketplace/testing';
import { openPool, sql, type SqlPool } from '@steward/sql';
import { createWorld, type Json, type World } from '../world/index.ts';

/** A browser that follows nothing by itself, and keeps the one cookie. */
interface Browser {
  cookie: string;
  get(url: string): Promise<Response>;
}
const browser = (): Browser => {
  const own: Browser = {
    cookie: '',
    get: async (url) => {
      const answer = await fetch(url, {
        redirect: 'manual',
        headers: own.cookie === '' ? {} : { cookie: own.cookie },
      });
      const [set] = answer.headers.getSetCookie();
      if (set !== undefined) own.cookie = set.split(';')[0] ?? '';
      return answer;
    },
  };
  return own;
};

describe('a shop that installs the app', () => {
  const stack = new AsyncDisposableStack();
  let shopify: Shopify;
  let world: World;
  let admin: SqlPool;
  before(async () => {
    shopify = stack.use(await createShopify());
    world = stack.use(await createWorld(shopify.variables));
    admin = stack.use(openPool({ url: world.db.adminUrl, size: 2 }));
  });
  after(async () => stack.disposeAsync());

  const at = (path: string): string => `${world.server.addresses.commerce}${path}`;
  const begin = async (by: Browser, shop: string): Promise<URL> => {
    shopify.shop(shop);
    const answer = await by.get(at(`/marketplace/install?shop=${shop}`));
    assert.equal(answer.status, 302, await answer.text());
    return new URL(answer.headers.get('location') ?? '');
  };
  const codeIn = async (answer: Response): Promise<string> => {
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return /<pre>([0-9a-f-]+)<\/pre>/.exec(text)?.[1] ?? '';
  };
  const install = async (shop: string): Promise<string> => {
    const own = browser();
    const to = await begin(own, shop);
    return codeIn(await own.get(at(`/marketplace/callback?${shopify.consent(shop, to)}`)));
  };
  const refused = async (answer: Response): Promise<string> => {
    const { code } = (await answer.json()) as { code: string };
    return `${answer.status} ${code}`;
  };
  const codeOf = async (answer: ReturnType<World['call']>): Promise<string> => {
    const { status, body } = await answer;
    return `${status} ${String(body['code'] ?? '')}`;
  };
  const owner = async (user: string) => {
    const { tenant } = await world.signUp(user);
    const token = await world.token({ user, approver: true });
    const call = async (method: string, path: string, body?: object) =>
      world.call(at(`/api${path}`), { token, tenant, method, ...(body === undefined ? {} : { body }) });
    await call('POST', '/locations', { name: 'Shop', code: 'shop' });
    return {
      tenant,
      call,
      connect: async (code: string) => call('POST', '/channels', { code }),
      agent: await world.token({ user, agent: 'assistant-1' }),
    };
  };
  const kept = async (): Promise<unknown> =>
    (
      await admin.query(sql`
        select (select count(*)::int from marketplace.installation) as waiting, (select count(*)::int from marketplace.channel) as channels`)
    )[0];

  test('is sent to consent, comes back once, and is the organization’s that gives the code', async () => {
    const own = browser();
    const to = await begin(own, 'fjord.myshopify.com');
    assert.equal(to.pathname, '/fjord.myshopify.com/admin/oauth/authorize');
    assert.equal(to.searchParams.get('redirect_uri'), at('/marketplace/callback'));
    assert.match(own.cookie, /^steward_marketplace=/);
    const back = at(`/marketplace/callback?${shopify.consent('fjord.myshopify.com', to)}`);
    const before = own.cookie;
    const answer = await own.get(back);
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    const code = await codeIn(answer);
    own.cookie = before;
    assert.equal(await refused(await own.get(back)), '400 installation_refused', 'the same state again');
    const seen = await fetch(back, { headers: { accept: 'text/html,*/*;q=0.8', cookie: own.cookie } });
    const page = await seen.text();
    assert.deepEqual(
      [seen.status, seen.headers.get('content-type'), seen.headers.get('cache-control')],
      [400, 'text/html; charset=utf-8', 'no-store'],
    );
    assert.match(page, /cannot be completed/);
    assert.match(
      page,
      /href="[^"]*\/marketplace\/install\?shop=[a-z0-9-]+\.myshopify\.com"/,
      'with a way to begin again',
    );
    const strange = await fetch(at('/marketplace/callback?shop=%22%3E%3Cb%3E'), { headers: { accept: 'text/html' } });
    const said = await strange.text();
    assert.doesNotMatch(said, /shop=|<b>/, 'nothing of an address that names no shop');
    assert.equal(said.match(/href/g)?.length, 1, 'but the console');

    const { tenant, connect, call } = await owner('fjord@example.com');
    const made = await connect(code);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.equal(String(made.body['shop']), 'fjord.myshopify.com');
    assert.equal(String(made.body['status']), 'connected');
    assert.equal((await connect(code)).status, 422, 'a code is good once');
    const stranger = await owner('stranger@example.com');
    assert.equal((await stranger.connect(code)).status, 422);
    const { body } = await call('GET', '/channels');
    assert.equal((body['items'] as unknown as Json[]).length, 1);
    const [row] = await admin.query<{ token: string }>(
      sql`select token from marketplace.channel where tenant_id = ${tenant}::uuid`,
    );
    const [token = ''] = [...shopify.shop('fjord.myshopify.com').tokens.keys()].slice(-1);
    assert.ok(token !== '' && !JSON.stringify(row).includes(token), 'sealed');
    assert.ok(!JSON.stringify(body).includes(token));
    assert.ok(!world.server.output().includes(token));
  });

  test('tells a person who mistyped it which shop they may mean, in their language; programs are told as ever', async () => {
    const visit = async (shop: string, language = 'en-GB,en;q=0.9') => {
      const headers = { accept: 'text/html,application/xhtml+xml', 'accept-language': language };
      const answer = await fetch(at(`/marketplace/install?shop=${encodeURIComponent(shop)}`), {
        headers,
        redirect: 'manual',
      });
      return {
        status: answer.status,
        page: await answer.text(),
        policy: answer.headers.get('content-security-policy'),
      };
    };
    const mistyped = await visit('https://admin.shopify.com/store/fjord/products');
    assert.equal(mistyped.status, 400);
    assert.match(mistyped.policy ?? '', /default-src 'none'/);
    assert.match(mistyped.page, /<h1>Which shop is it\?<\/h1>/);
    assert.match(
      mistyped.page,
      /href="[^"]*\/marketplace\/install\?shop=fjord\.myshopify\.com">Go on with fjord\.myshopify\.com</,
    );
    for (const none of ['shop.example.com', '', '"><b>', 'evil.com/x.myshopify.com']) {
      const { status, page } = await visit(none);
      assert.equal(status, 400, none);
      assert.match(page, /names no shop/, none);
      assert.doesNotMatch(page, /<b>|evil/, none);
    }
    assert.match((await visit('x y', 'ja')).page, /<html lang="ja">[^]*どのショップですか/);
    assert.match((await visit('x y', 'fr-FR,de;q=0.8')).page, /<html lang="de">[^]*Welcher Shop ist es/);
    const program = await fetch(at('/marketplace/install?shop=x'), { headers: { accept: 'application/json' } });
    assert.equal(program.headers.get('content-type'), 'application/problem+json');
    assert.equal(await refused(program), '400 invalid_request');
  });

  test('leads a browser that began in the console back to it, with the code where no server is sent it; what is connected is the shop that was read', async () => {
    const shop = 'harbour.myshopify.com';
    const { tenant, call } = await owner('harbour@example.com');
    const { body: known } = await call('GET', '/marketplaces');
    const [one] = known['items'] as unknown as { provider: string; installUrl: string }[];
    assert.deepEqual(known['items'], [{ provider: 'shopify', installUrl: at('/marketplace/install') }]);
    shopify.shop(shop);
    const own = browser();
    const begun = await own.get(`${one?.installUrl}?shop=${shop}&tenant=${tenant}`);
    const back = `/marketplace/callback?${shopify.consent(shop, new URL(begun.headers.get('location') ?? ''))}`;
    const led = await fetch(at(back), { headers: { accept: 'text/html', cookie: own.cookie }, redirect: 'manual' });
    assert.equal(led.status, 302);
    const to = new URL(led.headers.get('location') ?? '');
    assert.equal(
      `${to.origin}${to.pathname}${to.search}`,
      `${new URL(world.server.addresses.portal).origin}/o/${tenant}/commerce/channels`,
    );
    const { shop: named, code } = Object.fromEntries(new URLSearchParams(to.hash.slice(1)));
    assert.equal(named, shop);
    const lied = await call('POST', '/channels', { code, shop: 'another.myshopify.com' });
    assert.equal(lied.status, 400, JSON.stringify(lied.body));
    assert.deepEqual(lied.body['errors'], [
      { pointer: '/shop', code: 'unknown', detail: 'The code is of harbour.myshopify.com.' },
    ]);
    const thief = await owner('thief@example.com');
    assert.equal(await codeOf(thief.connect(String(code))), '422 installation_unknown', 'it began for the other one');
    assert.equal((await call('POST', '/channels', { code, shop })).status, 201, 'the code was not used up');
    assert.equal((await fetch(at(`/marketplace/install?shop=${shop}&tenant=../evil`))).status, 400);
  });

  test('is nobody’s without the code, and no agent connects it without a person', async () => {
    const code = await install('lake.myshopify.com');
    const { tenant, agent } = await owner('lake@example.com');
    const { tenant: another, connect, call } = await owner('another@example.com');
    for (const wrong of [
      '0000-0000-0000-0000-0000-0000-0000-0000',
      code.replace(/^./, (first) => (first === '0' ? '1' : '0')),
    ])
      assert.equal((await connect(wrong)).status, 422, wrong);
    assert.equal((await connect('fjord.myshopify.com')).status, 400);
    const asked = await world.call(`${world.server.addresses.mcp}/t/${tenant}/p/commerce/connections`, {
      token: agent,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'service_connect_channel', arguments: { code } },
      },
    });
    const pending = asked.body['result']?.['structuredContent'];
    assert.equal(String(pending?.['status']), 'pending_approval', JSON.stringify(asked.body));
    assert.match(JSON.stringify(pending), /lake\.myshopify\.com/, 'who approves sees the shop');
    const [row] = await admin.query(sql`select from marketplace.channel where shop = 'lake.myshopify.com'`);
    assert.equal(row, undefined);
    const rest = await world.call(at('/api/channels'), { token: agent, tenant, body: { code } });
    assert.equal(rest.status, 403, JSON.stringify(rest.body));
    const { body } = await call('GET', '/channels');
    assert.deepEqual(body['items'], [], another);
  });

  test('is the organization’s that showed its code first: whoever reads it where it waits for people connects it nowhere else', async () => {
    const shop = 'delta.myshopify.com';
    const first = await owner('delta@example.com');
    const second = await owner('mouth@example.com');
    const code = await install(shop);
    const asked = await world.call(`${world.server.addresses.mcp}/t/${first.tenant}/p/commerce/connections`, {
      token: first.agent,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'service_connect_channel', arguments: { code } },
      },
    });
    assert.equal(String(asked.body['result']?.['structuredContent']?.['status']), 'pending_approval');
    assert.equal(await codeOf(second.connect(code)), '422 installation_unknown');
    assert.equal(await codeOf(first.connect(code)), '201 ');
    const raced = await install('estuary.myshopify.com');
    const told = await Promise.all([first, second, first, second].map(async ({ connect }) => codeOf(connect(raced))));
    assert.deepEqual(told.toSorted().slice(0, 2), ['201 ', '422 installation_unknown'], String(told));
    assert.equal(told.filter((one) => one === '201 ').length, 1, String(told));
  });

  test('leads to one organization, and to another only once the first has let it go', async () => {
    const one = await owner('one@example.com');
    const two = await owner('two@example.com');
    const shop = 'ridge.myshopify.com';
    const first = await one.connect(await install(shop));
    const again = await one.connect(await install(shop));
    assert.equal(String(again.body['id']), String(first.body['id']), 'the same channel, with the newer token');
    const code = await install(shop);
    const taken = await two.connect(code);
    assert.equal(`${taken.status} ${String(taken.body['code'])}`, '409 channel_exists');
    const ended = await one.call('DELETE', `/channels/${String(first.body['id'])}`);
    assert.equal(String(ended.body['status']), 'disconnected', JSON.stringify(ended.body));
    assert.equal((await two.connect(code)).status, 201, 'a refused connection did not use the code up');
    const back = await one.connect(await install(shop));
    assert.equal(`${back.status} ${String(back.body['code'])}`, '409 channel_exists');
    const [row] = await admin.query<{ tenants: string[] }>(sql`
      select array_agg(tenant_id::text) as tenants from marketplace.channel_of_shop('shopify', ${shop})`);
    assert.deepEqual(row?.tenants, [two.tenant]);
  });

  test('is refused before anything is asked of it, where anything of it is not as it was begun', async () => {
    const shop = 'attack.myshopify.com';
    const own = browser();
    const to = await begin(own, shop);
    const other = browser();
    const elsewhere = await begin(other, 'elsewhere.myshopify.com');
    const query = (more: Record<string, string> = {}, secret?: string): string => {
      const said = Object.fromEntries(shopify.consent(shop, to));
      delete said['hmac'];
      return String(shopify.signed({ ...said, ...more }, secret));
    };
    const now = Math.floor(Date.now() / 1000);
    // Shops that are connected are asked for their goods meanwhile.
    const granted = (): number => shopify.stub.asked.filter(({ path }) => path.includes('/oauth/')).length;
    const asked = granted();
    const before = await kept();
    const attacks: Record<string, readonly [Browser, string]> = {
      'another secret': [own, query({}, 'other')],
      'a state cookie as the secret': [own, query({}, own.cookie.split('=')[1])],
      'no query': [own, ''],
      'too old': [own, query({ timestamp: String(now - 120) })],
      'from the future': [own, query({ timestamp: String(now + 120) })],
      'a state of another shop': [other, query({ state: elsewhere.searchParams.get('state') ?? '' })],
      'a browser that began nothing': [browser(), query()],
      'a browser that began for another shop': [other, query()],
      'no state': [own, query({ state: '' })],
      'no code': [own, query({ code: '' })],
      ...Object.fromEntries(
        [
          'evil.com/x.myshopify.com',
          'evil.com#.myshopify.com',
          'one.myshopify.com.evil.com',
          'one.myshopify.com@evil.com',
          'evil.com?x.myshopify.com',
          'one.myshopify.com\n',
          '-one.myshopify.com',
          '.myshopify.com',
          'ONE.myshopify.com',
          'attack.myshopify.com:8080',
          '127.0.0.1',
        ].map((name) => [`the shop ${JSON.stringify(name)}`, [own, query({ shop: name })] as const]),
      ),
    };
    for (const [what, [by, search]] of Object.entries(attacks)) {
      const { cookie } = by;
      assert.equal(
        await refused(await by.get(at(`/marketplace/callback?${search}`))),
        '400 installation_refused',
        what,
      );
      by.cookie = cookie;
    }
    for (const name of [
      'evil.com/x.myshopify.com',
      'one.myshopify.com.evil.com',
      '',
      'x',
      `${'a'.repeat(300)}.myshopify.com`,
    ])
      assert.equal(
        (await own.get(at(`/marketplace/install?shop=${encodeURIComponent(name)}`))).status,
        400,
        `install ${name}`,
      );
    assert.equal(granted(), asked, 'nothing was asked of anybody');
    assert.ok(shopify.stub.asked.every(({ path }) => /^\/[a-z-]+\.myshopify\.com\//.test(path)));
    assert.deepEqual(await kept(), before);
    await codeIn(await own.get(at(`/marketplace/callback?${query()}`)));
  });

  test('keeps nothing where the marketplace refuses the code, grants too little, or does not answer', async () => {
    const shop = 'faults.myshopify.com';
    const come = async (prepare: () => void): Promise<string> => {
      const own = browser();
      const to = await begin(own, shop);
      const back = shopify.consent(shop, to);
      prepare();
      return refused(await own.get(at(`/marketplace/callback?${back}`)));
    };
    const before = await kept();
    assert.equal(await come(() => shopify.shop(shop).codes.clear()), '400 installation_refused');
    for (const fault of ['broken', 'limited', 'half', 'silent'] as const)
      assert.equal(await come(() => shopify.stub.failAt('/oauth/access_token', fault)), '503 unavailable', fault);
    assert.deepEqual(await kept(), before);
    const own = browser();
    const to = await begin(own, 'little.myshopify.com');
    shopify.shop('little.myshopify.com').scope = 'read_products';
    const answer = await own.get(at(`/marketplace/callback?${shopify.consent('little.myshopify.com', to)}`));
    assert.equal(await refused(answer), '400 installation_refused');
    assert.deepEqual(await kept(), before);
  });

  test('reports with its signature alone: what is forged, a state cookie too, is refused; an unknown shop is kept as nobody’s', async () => {
    const send = async (body: string, headers: Record<string, string>) => {
      const answer = await world.call(at('/webhooks/marketplace'), { method: 'POST', body, headers });
      return `${answer.status} ${String(answer.body['code'] ?? '')}`;
    };
    const shop = 'hooks.myshopify.com';
    const { connect, tenant } = await owner('hooks@example.com');
    assert.equal((await connect(await install(shop))).status, 201);
    const body = JSON.stringify({ id: 1, myshopify_domain: shop });
    const own = browser();
    await begin(own, shop);
    const state = own.cookie.split('=')[1] ?? '';
    const mac = Buffer.from(state.split('.')[2] ?? '', 'base64url').toString('base64');
    const genuine = shopify.headers(body, { topic: 'themes/publish', shop });
    for (const [what, headers] of Object.entries({
      'another secret': shopify.headers(body, { topic: 'app/uninstalled', shop }, 'other'),
      'a state cookie': { ...genuine, 'x-shopify-hmac-sha256': mac },
      'a state cookie as the secret': shopify.headers(body, { topic: 'app/uninstalled', shop }, state),
      'another body': shopify.headers(`${body} `, { topic: 'app/uninstalled', shop }),
    }))
      assert.equal(await send(body, headers), '401 callback_unverified', what);
    assert.equal(await send(body, genuine), '200 ');
    const nobodys = JSON.stringify({ id: 2 });
    assert.equal(
      await send(nobodys, shopify.headers(nobodys, { topic: 'orders/create', shop: 'unknown.myshopify.com' })),
      '200 ',
    );
    const rows = await admin.query<{ tenant_id: string; topic: string; status: string }>(
      sql`select tenant_id::text, topic, status from callbacks.delivery where receiver = 'commerce.marketplace' order by received_at`,
    );
    assert.deepEqual(
      rows.map((row) => [row.tenant_id === tenant, row.topic]),
      [
        [true, 'themes/publish'],
        [false, 'orders/create'],
      ],
    );
    assert.equal(rows[1]?.status, 'unclaimed');
    const metrics = await (await fetch(`${world.server.internalUrl}/metrics`)).text();
    assert.match(metrics, /steward_callbacks_received_total\{receiver="commerce\.marketplace",outcome="unclaimed"\} 1/);
  });
});
