import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createWorld, startServer, type Answer, type World } from '@steward/conformance/world';
import { openPool, sql } from '@steward/sql';

describe('signup', () => {
  let world: World;
  let url: string;
  before(async () => {
    world = await createWorld();
    url = `${world.server.addresses.portal}/api/external-agent/signup`;
  });
  after(async () => world[Symbol.asyncDispose]());

  let count = 0;
  const key = (): string => `signup-key-${(count += 1)}`;
  const owner = async (): Promise<string> => world.token({ user: `owner${(count += 1)}@example.com` });
  const post = async (
    token: string | undefined,
    body: unknown,
    headers: Record<string, string> = { 'idempotency-key': key() },
  ): Promise<Answer> => world.call(url, { ...(token === undefined ? {} : { token }), body, headers });
  const refused = (answer: Answer, status: number, code: string): void => {
    assert.deepEqual([answer.status, answer.body['code']], [status, code], JSON.stringify(answer.body));
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  };

  test('answers the bootstrap document with every field and the five capabilities', async () => {
    const answer = await post(await owner(), {
      organizationName: ' Fjord Bikes ',
      defaultCurrency: 'NOK',
      fiscalYearStartMonth: 4,
      persona: 'retail',
    });
    assert.equal(answer.status, 201);
    const { body } = answer;
    const { addresses } = world.server;
    assert.match(String(body['bootstrapVersion']), /^\d{4}-\d\d-\d\d$/);
    assert.equal(body['organization']?.['name'], 'Fjord Bikes');
    const tenant = body['organization']?.['id'];
    assert.deepEqual(body['tenant'], { id: tenant, contextHeader: 'X-Tenant-ID', headerValue: tenant });
    const { trialEndsAt, ...billing } = body['billing'] as unknown as Record<string, unknown>;
    assert.deepEqual(billing, { tier: 'trial', status: 'trialing', liveChargesRequired: false });
    const days = (Date.parse(String(trialEndsAt)) - Date.now()) / 86_400_000;
    assert.ok(days > 13.9 && days <= 14 && String(trialEndsAt).endsWith('Z'));
    assert.deepEqual(body['endpoints'], {
      portalApiBaseUrl: addresses.portal,
      accountingApiBaseUrl: addresses.accounting,
      commerceApiBaseUrl: addresses.commerce,
      studioApiBaseUrl: addresses.studio,
      mcpUrl: addresses.mcp,
      storefrontApiBaseUrl: addresses.storefront,
      ucpBaseUrlTemplate: `${addresses.commerce}/ucp/{brand_id}`,
      acpBaseUrlTemplate: `${addresses.commerce}/acp/{brand_id}`,
    });
    for (const { name, available } of body['capabilities'] as unknown as { name: string; available: boolean }[]) {
      const [address] =
        {
          cart_and_checkout_sessions: [`${addresses.storefront}/carts`],
        }[name] ?? [];
      if (address !== undefined) assert.equal((await fetch(address)).status !== 404, available, name);
    }
    // Each in the form of its protocol: the door is there, and closed.
    const closed = async (protocol: string): Promise<Record<string, unknown>> => {
      const answer = await fetch(`${addresses.commerce}/${protocol}/x/carts/y`);
      assert.equal(answer.status, 404, protocol);
      return (await answer.json()) as Record<string, unknown>;
    };
    assert.equal((await closed('ucp'))['code'], 'door_closed');
    assert.equal((await closed('acp'))['type'], 'invalid_request');
    assert.deepEqual(body['sdkKeyCreation'], { status: 'requires_site' });
    // Without a way to ship, what is shipped cannot be ordered.
    const shop = (body['nextSteps'] as unknown as string[]).find((step) => step.startsWith('For a shop on a web page'));
    assert.match(shop ?? '', /service_create_shipping_zone.*service_create_shipping_option/v);
    assert.deepEqual(
      (body['capabilities'] as unknown as { name: string }[]).map(({ name }) => name),
      [
        'commerce_storefront_sdk',
        'cart_and_checkout_sessions',
        'agentic_commerce_ucp_acp',
        'accounting_back_office_mcp',
        'live_payment_charges',
      ],
    );
  });

  test('takes name where organizationName is absent, and ignores fields it does not know', async () => {
    const answer = await post(await owner(), { name: 'By another name', whatever: { x: 1 } });
    assert.equal(answer.body['organization']?.['name'], 'By another name');
  });

  test('writes documents in the language that is named, and in English where it has none', async () => {
    for (const [language, found] of [
      ['de-AT', 'de'],
      ['ES', 'es'],
      ['fr', 'en'],
      ['design', 'en'],
      [7, 'en'],
      ['x'.repeat(100_000), 'en'],
    ] as const) {
      const token = await owner();
      const { status, body } = await post(token, { organizationName: 'Spoken', language });
      assert.equal(status, 201, JSON.stringify(body));
      const { body: books } = await world.call(`${world.server.addresses.accounting}/graphql`, {
        token,
        tenant: String(body['organization']?.['id']),
        body: { query: '{ seller { language } }' },
      });
      assert.equal(books['data']?.['seller']?.['language'], found as never);
    }
    const { code, out } = await world.command(['audit', 'verify']);
    assert.equal(code, 0, out);
  });

  test('takes the key from the header over the body, and from the body alone', async () => {
    const token = await owner();
    const first = await post(
      token,
      { organizationName: 'Key', idempotencyKey: 'in-the-body-1' },
      { 'idempotency-key': 'in-the-header-1' },
    );
    const again = await post(
      token,
      { organizationName: 'Key', idempotencyKey: 'something else' },
      { 'idempotency-key': 'in-the-header-1' },
    );
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(again.body, first.body);
    assert.equal(
      (await post(token, { organizationName: 'Key', idempotencyKey: 'in-the-body-1' }, {})).headers.get(
        'idempotent-replayed',
      ),
      null,
    );
    refused(
      await post(token, { organizationName: 'Key', idempotencyKey: 'in-the-body-1' }, { 'idempotency-key': 'short' }),
      400,
      'invalid_idempotency_key',
    );
  });

  test('answers every row of the error table', async () => {
    const token = await owner();
    refused(await post(token, '{"organizationName":', { 'idempotency-key': key() }), 400, 'invalid_json');
    refused(await post(token, '{"organizationName":"a","organizationName":"b"}'), 400, 'invalid_json');
    for (const body of [[], '"text"', 'null', '17']) refused(await post(token, body), 400, 'invalid_request');
    for (const body of [
      {},
      { organizationName: '' },
      { organizationName: '   ' },
      { organizationName: 7 },
      { organizationName: null },
    ])
      refused(await post(token, body), 400, 'organization_name_required');
    for (const body of [{ organizationName: 'x'.repeat(201) }, { organizationName: 'a\u0000b' }])
      refused(await post(token, body), 400, 'invalid_request');
    refused(await post(token, { organizationName: 'a' }, {}), 400, 'idempotency_key_required');
    for (const bad of ['1234567', 'x'.repeat(201)])
      refused(await post(token, { organizationName: 'a' }, { 'idempotency-key': bad }), 400, 'invalid_idempotency_key');
    for (const bad of [
      { defaultCurrency: 'usd' },
      { defaultCurrency: 'XYZ' },
      { defaultCurrency: 1 },
      { fiscalYearStartMonth: 0 },
      { fiscalYearStartMonth: 13 },
      { fiscalYearStartMonth: 1.5 },
      { fiscalYearStartMonth: '1' },
      { persona: '' },
      { persona: 'p'.repeat(65) },
    ]) {
      const answer = await post(token, { organizationName: 'a', ...bad });
      refused(answer, 400, 'invalid_request');
      assert.equal((answer.body['errors'] as unknown as { pointer: string }[])[0]?.pointer, `/${Object.keys(bad)[0]}`);
    }
    refused(await post(undefined, { organizationName: 'a' }), 401, 'unauthenticated');
    refused(await post('nonsense', { organizationName: 'a' }), 401, 'unauthenticated');
    refused(
      await post(await world.token({ client: 'ci-bot', scope: 'service:external-agent:signup' }), {
        organizationName: 'a',
      }),
      403,
      'machine_principal',
    );
    refused(
      await post(await world.token({ user: 'a@example.com', agent: 'assistant-1' }), { organizationName: 'a' }),
      403,
      'machine_principal',
    );
    refused(
      await post(await world.token({ user: 'a@example.com', scope: 'openid mcp:read' }), { organizationName: 'a' }),
      403,
      'signup_not_allowed',
    );
    refused(
      await post(await world.token({ user: 'a@example.com', audiences: [world.server.addresses.mcp] }), {
        organizationName: 'a',
      }),
      401,
      'unauthenticated',
    );
  });

  test('checks who calls before it looks at what they send', async () => {
    const machine = await world.token({ client: 'ci-bot' });
    refused(await post(undefined, '{{{'), 401, 'unauthenticated');
    refused(await post(machine, '{{{'), 403, 'machine_principal');
  });

  test('accepts keys of exactly 8 and 200 characters', async () => {
    const token = await owner();
    assert.equal((await post(token, { organizationName: 'Eight' }, { 'idempotency-key': '12345678' })).status, 201);
    assert.equal(
      (await post(token, { organizationName: 'Eight' }, { 'idempotency-key': 'k'.repeat(200) })).status,
      201,
    );
  });

  test('replays the same bytes for the same key and body, and refuses another body', async () => {
    const token = await owner();
    const headers = { 'idempotency-key': key() };
    const first = await post(token, { organizationName: 'Replay', fiscalYearStartMonth: 1 }, headers);
    const second = await post(
      token,
      { name: ' Replay ', defaultCurrency: 'USD', persona: 'general', extra: 1 },
      headers,
    );
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.equal(first.headers.get('idempotent-replayed'), null);
    refused(
      await post(token, { organizationName: 'Replay', fiscalYearStartMonth: 2 }, headers),
      409,
      'idempotency_conflict',
    );
  });

  test('keeps keys of two owners apart', async () => {
    const headers = { 'idempotency-key': key() };
    const [one, two] = [
      await post(await owner(), { organizationName: 'Same' }, headers),
      await post(await owner(), { organizationName: 'Same' }, headers),
    ];
    assert.notEqual(one.body['organization']?.['id'], two.body['organization']?.['id']);
  });

  test("reuses the owner's tenant of the same name, whatever the case and the other fields", async () => {
    const token = await owner();
    const first = await post(token, { organizationName: 'Ünï Reuse' });
    const again = await post(token, { organizationName: ' üNÏ REUSE', defaultCurrency: 'EUR', persona: 'retail' });
    assert.equal(again.status, 201);
    assert.equal(again.headers.get('idempotent-replayed'), null);
    assert.equal(again.body['organization']?.['id'], first.body['organization']?.['id']);
    assert.equal(again.body['organization']?.['name'], 'Ünï Reuse');
  });

  test('limits an owner to three new tenants a day; replays and reuse are free', async () => {
    const token = await owner();
    const made = [];
    for (const name of ['one', 'two', 'three'])
      made.push(await post(token, { organizationName: name }, { 'idempotency-key': `limit-key-${name}` }));
    assert.deepEqual(
      made.map(({ status }) => status),
      [201, 201, 201],
    );
    const fourth = await post(token, { organizationName: 'four' });
    refused(fourth, 429, 'signup_owner_limit');
    assert.match(fourth.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal((await post(token, { organizationName: 'one' }, { 'idempotency-key': 'limit-key-one' })).status, 201);
    assert.equal((await post(token, { organizationName: 'two' })).status, 201);
  });

  test('makes one tenant of fifty calls at once with one key, and of fifty with the same name', async () => {
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    const tenants = async (): Promise<number> =>
      Number((await admin.query(sql`select count(*)::int as n from portal.tenant`))[0]?.['n']);
    for (const headers of [() => ({ 'idempotency-key': 'fifty-at-once' }), () => ({ 'idempotency-key': key() })]) {
      const token = await owner();
      const before = await tenants();
      const answers = await Promise.all(
        Array.from({ length: 50 }, async () => post(token, { organizationName: 'Fifty' }, headers())),
      );
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
      assert.equal(new Set(answers.map(({ body }) => body['organization']?.['id'])).size, 1);
      assert.equal((await tenants()) - before, 1);
    }
  });

  test('gives the new tenant its owner, default brand, books, trial and a chain that begins with it', async () => {
    const { tenant } = await world.signUp('provision@example.com', 'Provisioned');
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    const [row] = await admin.query(sql`
      select (select count(*)::int from identity.member where tenant_id = ${tenant}::uuid and role = 'owner') as owners,
        (select count(*)::int from portal.brand where tenant_id = ${tenant}::uuid and is_default) as brands,
        (select count(*)::int from accounting.account where tenant_id = ${tenant}::uuid) as accounts,
        (select tier from portal.billing where tenant_id = ${tenant}::uuid) as tier`);
    assert.deepEqual(
      [row?.['owners'], row?.['brands'], row?.['tier'], Number(row?.['accounts']) > 20],
      [1, 1, 'trial', true],
    );
    const token = await world.token({ user: 'provision@example.com' });
    const { body } = await world.call(`${world.server.addresses.accounting}/api/audit/events?limit=10`, {
      token,
      tenant,
    });
    const events = body['items'] as unknown as {
      type: string;
      sequence: number;
      correlation_id: string;
      principal_chain: { principal_type: string }[];
    }[];
    assert.deepEqual(events.map(({ type }) => type).toSorted(), [
      'accounting.books.opened',
      'audit.chain.opened',
      'portal.member.added',
      'portal.tenant.created',
    ]);
    assert.equal(new Set(events.map((event) => event.correlation_id)).size, 1);
    assert.ok(events.every((event) => event.principal_chain[0]?.principal_type === 'user'));
  });

  test('leaves nothing behind when it fails half-way, and the same key succeeds afterwards', async () => {
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    const token = await owner();
    const headers = { 'idempotency-key': key() };
    const rows = async (): Promise<unknown> =>
      (
        await admin.query(
          sql`select (select count(*)::int from portal.tenant) as t, (select count(*)::int from identity.member) as m, (select count(*)::int from portal.signup) as s, (select count(*)::int from audit.head) as h`,
        )
      )[0];
    const before = await rows();
    await admin.query(sql`alter table accounting.account add constraint broken check (false) not valid`);
    refused(await post(token, { organizationName: 'Half' }, headers), 500, 'signup_failed');
    assert.deepEqual(await rows(), before);
    await admin.query(sql`alter table accounting.account drop constraint broken`);
    const answer = await post(token, { organizationName: 'Half' }, headers);
    assert.deepEqual([answer.status, answer.headers.get('idempotent-replayed')], [201, null]);
  });

  test('counts every request against the address, before anything else', async () => {
    const dataDir = `${world.dataDir}-limited`;
    const limited = await startServer({
      DATABASE_URL: world.db.appUrl,
      DATABASE_OWNER_URL: world.db.ownerUrl,
      DATA_DIR: dataDir,
      SECRET_KEY: await readFile(join(world.dataDir, 'secret.key'), 'utf8'),
      SIGNUP_ATTEMPTS_PER_IP_PER_HOUR: '2',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    try {
      const at = (address: string) =>
        world.call(`${limited.addresses.portal}/api/external-agent/signup`, {
          body: '{{',
          headers: { 'x-forwarded-for': address },
        });
      refused(await at('198.51.100.7'), 401, 'unauthenticated');
      refused(await at('198.51.100.7'), 401, 'unauthenticated');
      const third = await at('198.51.100.7');
      refused(third, 429, 'rate_limited');
      assert.match(third.headers.get('retry-after') ?? '', /^\d+$/);
      assert.match(third.headers.get('ratelimit-policy') ?? '', /q=2;w=3600/);
      refused(await at('198.51.100.8'), 401, 'unauthenticated');
    } finally {
      await limited.stop();
    }
  });

  test('answers 503 while the database is away, and nothing is lost', async () => {
    await using admin = openPool({ url: world.db.adminUrl.replace(/\/t[0-9a-f]+$/, '/postgres'), size: 1 });
    const token = await owner();
    const name = world.db.name;
    await admin.query({ name: 'no1', text: `alter database ${name} allow_connections false`, values: [] });
    await admin.query(sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`);
    const answer = await post(token, { organizationName: 'Away' });
    await admin.query({ name: 'no2', text: `alter database ${name} allow_connections true`, values: [] });
    refused(answer, 503, 'unavailable');
    assert.equal((await post(token, { organizationName: 'Away' })).status, 201);
  });
});
