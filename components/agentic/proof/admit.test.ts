import assert from 'node:assert/strict';
import { generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { publicJwk, type RequestMessage } from '@steward/http-signatures';
import { newId, Problem } from '@steward/kernel';
import { sql } from '@steward/sql';
import { readmitAgent, shutOutAgent } from '../agents/judge.ts';
import { listAgents } from '../agents/list.ts';
import { trustAgent } from '../agents/trust.ts';
import { configureAgenticCommerce } from '../doors/configure.ts';
import { createWorld, type Instance, type Platform, type World } from '../fixtures/world.ts';
import { revokeSigningKey } from '../keys/revoke.ts';
import { rotateSigningKey } from '../keys/rotate.ts';
import { listSigningKeys } from '../keys/list.ts';

describe('agents at the door of a brand', () => {
  let world: World;
  let one: Instance;
  let other: Instance;
  let platform: Platform;
  before(async () => {
    world = await createWorld();
    [one, other] = [world.instance(), world.instance()];
    platform = await world.platform();
  });
  after(async () => world[Symbol.asyncDispose]());

  /** What comes of a request: the id of the agent, or the code of the refusal. */
  const comes = async (brandId: string, request: RequestMessage, by = one, plain = false): Promise<string> => {
    const door = await by.agentic.doorOf(brandId, 'ucp');
    if (door === undefined) return 'no_door';
    const { method, url, headers, body } = request;
    try {
      return (await by.agentic.admit(door, { method, url, headers: headers as Record<string, string>, body }, plain))
        .id;
    } catch (error) {
      assert.ok(error instanceof Problem, String(error));
      return error.code;
    }
  };
  const isId = (value: string): boolean => /^[0-9a-f-]{36}$/.test(value);
  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    for (let round = 0; !(await holds()); round += 1) {
      assert.ok(round < 300, 'it never came to this');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  test('of live orders are let in by a signature of their profile, and are one agent each time', async () => {
    const { context, brandId } = await world.shop(one, { mode: 'live' });
    const id = await comes(brandId, platform.request(brandId));
    assert.ok(isId(id), id);
    assert.equal(await comes(brandId, platform.request(brandId, { body: '{"a":1}' }), other), id);
    assert.equal(await comes(brandId, platform.request(brandId, { signed: false })), 'signature_missing');
    const { items } = await listAgents(context, { brandId, limit: 50 }, one.ports);
    assert.deepEqual(
      items.map(({ profileUrl, verdict, standing, keyId }) => [profileUrl, verdict, standing, keyId]),
      [[platform.url, 'signed', 'known', publicJwk(platform.key).kid]],
    );
    const events = (await world.events(context.tenant)).map(({ type }) => type);
    assert.deepEqual(events, [
      'agentic.key.created',
      'agentic.door.configured',
      'agentic.agent.added',
      'agentic.request.refused',
    ]);
  });

  test('have their profile over plain http on this machine only where the official suite is served', async () => {
    const { brandId } = await world.shop(one);
    const profile = JSON.stringify({ ucp: { version: '2026-04-08', capabilities: {} } });
    const server = createServer((_request, response) => response.end(profile)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const named = (url: string) =>
      platform.request(brandId, { signed: false, headers: { 'ucp-agent': `profile="${url}"` } });
    const at = `http://localhost:${(server.address() as AddressInfo).port}/profile`;
    assert.equal(await comes(brandId, named(at)), 'invalid_profile_url');
    assert.ok(isId(await comes(brandId, named(at), one, true)));
    for (const outside of ['http://agent.example/ucp', 'http://192.168.0.1/ucp', 'ftp://localhost/ucp'])
      assert.match(
        await comes(brandId, named(outside), one, true),
        /^(?:profile_unreachable|invalid_profile_url)$/,
        outside,
      );
    server.close();
  });

  test('are refused for whatever is wrong with what they send, and each refusal is in the log', async () => {
    const { context, brandId } = await world.shop(one, { mode: 'live' });
    const good = platform.request(brandId);
    const { privateKey: stranger } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const named = (profile: string): RequestMessage => platform.request(brandId, { headers: { 'ucp-agent': profile } });
    const wrong: [string, RequestMessage][] = [
      ['signature_invalid', { ...good, method: 'PUT' }],
      ['signature_invalid', { ...good, url: good.url.replace(brandId, newId()) }],
      ['digest_mismatch', { ...good, body: Buffer.from('{"a":2}') }],
      ['key_not_found', platform.request(brandId, { key: stranger })],
      ['invalid_profile_url', named('profile="http://agent.example/ucp"')],
      ['invalid_profile_url', named('profile="https://user:secret@agent.example/ucp"')],
      ['invalid_profile_url', named('profile=https')],
      ['invalid_profile_url', named('')],
      ['invalid_profile_url', named(`profile="https://agent.example/${'a'.repeat(3_000)}"`)],
      ['invalid_profile_url', named(`profile="https://agent.example/${' '.repeat(1_000)}a"`)],
      ['profile_unreachable', named('profile="https://10.0.0.1/ucp"')],
      ['profile_unreachable', named('profile="https://169.254.169.254/latest/meta-data"')],
      ['profile_unreachable', named('profile="https://[::ffff:127.0.0.1]:1/ucp"')],
    ];
    for (const [code, request] of wrong)
      assert.equal(await comes(brandId, request), code, request.headers['ucp-agent'] as string);
    const refused = (await world.events(context.tenant)).filter(({ type }) => type === 'agentic.request.refused');
    assert.deepEqual(
      refused.map(({ payload }) => payload['verdict']),
      wrong.map(([code]) => code),
    );
    assert.doesNotMatch(JSON.stringify(refused), /secret/);
    for (let count = 0; count < 40; count += 1) await comes(brandId, { ...good, method: 'PUT' });
    const told = async () =>
      (await world.events(context.tenant)).filter(({ type }) => type === 'agentic.request.refused');
    assert.equal((await told()).length, 20, 'a flood of refusals is no flood of events');
    await one.agentic[Symbol.asyncDispose]();
    const { payload } = (await told()).at(-1) ?? assert.fail();
    assert.deepEqual(
      [payload['verdict'], payload['profile_url'], 20 + Number(payload['omitted']) + 1],
      ['signature_invalid', platform.url, wrong.length + 40],
      'and its end is told by whoever stops',
    );
  });

  test('prove nothing by what they signed for another purpose', async () => {
    const { brandId } = await world.shop(one, { mode: 'live' });
    const good = platform.request(brandId);
    const at = Math.floor(Date.now() / 1_000);
    /** The same request, signed by the same key for a purpose. */
    const meant = (tag: string): RequestMessage => {
      const said = String(good.headers['signature-input']).slice('sig1='.length);
      const params = `${said};created=${at};expires=${at + 60};tag="${tag}"`;
      const { host, pathname } = new URL(good.url);
      const derived = new Map([
        ['@method', good.method],
        ['@authority', host],
        ['@path', pathname],
      ]);
      const covered = [...(/\(([^)]*)\)/.exec(said)?.[1] ?? '').matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
      const base = [
        ...covered.map((name) => `"${name}": ${derived.get(name) ?? String(good.headers[name])}`),
        `"@signature-params": ${params}`,
      ].join('\n');
      const bytes = signBytes('sha256', Buffer.from(base), { key: platform.key, dsaEncoding: 'ieee-p1363' });
      const headers = { 'signature-input': `sig1=${params}`, signature: `sig1=:${bytes.toString('base64')}:` };
      return { ...good, headers: { ...good.headers, ...headers } };
    };
    assert.ok(isId(await comes(brandId, meant('web-bot-auth'))));
    for (const tag of ['agent-payer-auth', 'agent-browser-auth', ''])
      assert.equal(await comes(brandId, meant(tag)), 'signature_missing', tag);
  });

  test('that have no profile to read are told why, and nobody is asked twice for it at once', async () => {
    const { brandId } = await world.shop(one);
    for (const [code, answer] of [
      ['profile_unreachable', { status: 404, body: '' }],
      ['profile_unreachable', { status: 302, body: '', headers: { location: 'https://agent.example/' } }],
      ['profile_malformed', { status: 200, body: 'no json' }],
      ['profile_malformed', { status: 200, body: '[]' }],
      ['profile_malformed', { status: 200, body: '{"ucp":{"version":7}}' }],
      ['profile_malformed', { status: 200, body: '{"ucp":{"version":"2026-08-25","capabilities":[]}}' }],
      ['profile_malformed', { status: 200, body: ' '.repeat(300_000) }],
    ] as const) {
      const another = await world.platform();
      another.answer = answer;
      const codes = await Promise.all(
        Array.from({ length: 5 }, async () => comes(brandId, another.request(brandId, { signed: false }))),
      );
      assert.deepEqual([...new Set(codes)], [code]);
      assert.equal(another.asked, 1);
    }
  });

  test('whose profiles are slow leave room for those of others', async () => {
    const { brandId } = await world.shop(one);
    const slow = await world.platform();
    const never = Promise.withResolvers<void>();
    slow.held = never.promise;
    const named = (at: number) => ({ 'ucp-agent': `profile="${slow.url}?${at}"` });
    const waiting = Array.from({ length: 140 }, async (_, at) =>
      comes(brandId, slow.request(brandId, { signed: false, headers: named(at) })),
    );
    await until(async () => slow.asked > 0);
    const quick = await world.platform();
    assert.ok(isId(await comes(brandId, quick.request(brandId))));
    never.resolve();
    await Promise.all(waiting);
    assert.ok(slow.asked <= 16, String(slow.asked));
  });

  test('may change their keys: a new one is found, and one that is published no more is not believed for long', async () => {
    const { brandId } = await world.shop(one, { mode: 'live' });
    const changing = await world.platform();
    assert.ok(isId(await comes(brandId, changing.request(brandId))));
    const { privateKey: next } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    changing.publish([], { signing_keys: [publicJwk(next)] });
    await until(async () => isId(await comes(brandId, changing.request(brandId, { key: next }))));
    assert.equal(await comes(brandId, changing.request(brandId)), 'key_not_found');
    assert.ok(changing.asked <= 3, 'who names keys that are not there has nobody asked without end');
  });

  test('of tests need no signature, unless the door says so; one that is there must be right', async () => {
    const { context, brandId } = await world.shop(one);
    const unsigned = platform.request(brandId, { signed: false });
    assert.ok(isId(await comes(brandId, unsigned)));
    assert.equal(await comes(brandId, { ...platform.request(brandId), method: 'PUT' }), 'signature_invalid');
    await configureAgenticCommerce(context, { brandId, protocol: 'ucp', refuseUnsigned: true }, one.ports);
    assert.equal(await comes(brandId, unsigned), 'signature_missing');
    assert.ok(isId(await comes(brandId, platform.request(brandId))));
  });

  test('are shut out at once here and soon elsewhere, and let in again', async () => {
    const { context, brandId } = await world.shop(one, { mode: 'live' });
    const agentId = await comes(brandId, platform.request(brandId));
    assert.equal(await comes(brandId, platform.request(brandId), other), agentId);
    await shutOutAgent(context, { agentId }, one.ports);
    assert.equal(await comes(brandId, platform.request(brandId)), 'profile_not_trusted');
    await until(async () => (await comes(brandId, platform.request(brandId), other)) === 'profile_not_trusted');
    await readmitAgent(context, { agentId }, one.ports);
    assert.equal(await comes(brandId, platform.request(brandId)), agentId);
    await configureAgenticCommerce(context, { brandId, protocol: 'ucp', trustedOnly: true }, one.ports);
    assert.equal(await comes(brandId, platform.request(brandId)), 'profile_not_trusted');
    await trustAgent(context, { brandId, protocol: 'ucp', profileUrl: platform.url }, one.ports);
    assert.equal(await comes(brandId, platform.request(brandId)), agentId);
    await configureAgenticCommerce(context, { brandId, protocol: 'ucp', active: false }, one.ports);
    assert.equal(await comes(brandId, platform.request(brandId)), 'no_door');
    await until(async () => (await comes(brandId, platform.request(brandId), other)) === 'no_door');
  });

  test('are of one brand and one tenant', async () => {
    const [first, second] = [await world.shop(one), await world.shop(one)];
    const agentId = await comes(first.brandId, platform.request(first.brandId));
    assert.notEqual(await comes(second.brandId, platform.request(second.brandId)), agentId);
    await assert.rejects(shutOutAgent(second.context, { agentId }, one.ports), { code: 'not_found' });
    assert.deepEqual((await listAgents(second.context, { brandId: first.brandId, limit: 50 }, one.ports)).items, []);
    assert.equal(await comes(newId(), platform.request(newId())), 'no_door');
    assert.equal(await comes('not-an-id', platform.request(newId())), 'no_door');
  });

  test('verify what a brand signs by what it publishes: a rotated key for a week more, a revoked one no longer', async () => {
    const { context, brandId } = await world.shop(one);
    const brand = { tenant: context.tenant, brandId };
    const message = { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };
    const keyids = async (): Promise<unknown[]> => (await one.agentic.keysOf(brand)).map(({ kid }) => kid);
    const [first] = await keyids();
    assert.match((await one.agentic.sign(brand, message))?.['signature-input'] ?? '', new RegExp(String(first)));
    await rotateSigningKey(context, { brandId }, one.ports);
    const [second, ...rest] = await keyids();
    assert.deepEqual(rest, [first]);
    assert.match((await one.agentic.sign(brand, message))?.['signature-input'] ?? '', new RegExp(String(second)));
    const { items } = await listSigningKeys(context, { brandId, limit: 50 }, one.ports);
    assert.deepEqual(
      items.map(({ status }) => status),
      ['ending', 'active'],
    );
    await revokeSigningKey(context, { keyId: items[1]?.id ?? '' }, one.ports);
    assert.deepEqual(await keyids(), [first]);
    assert.equal(await one.agentic.sign(brand, message), undefined);
    const rows = await world.admin.query(sql`select jwk from agentic.signing_key where brand_id = ${brandId}::uuid`);
    for (const { jwk } of rows) assert.equal((jwk as Record<string, unknown>)['d'], undefined);
  });

  test('find every key that was rotated published for its week: one more than there is room for is not made', async () => {
    const { context, brandId } = await world.shop(one);
    const published = async () => one.agentic.keysOf({ tenant: context.tenant, brandId });
    const [first] = await published();
    const outcomes = [];
    for (let count = 0; count < 21; count += 1)
      outcomes.push(
        await rotateSigningKey(context, { brandId }, one.ports).then(
          () => 'rotated',
          (error: unknown) => (error as Problem).code,
        ),
      );
    assert.deepEqual(outcomes.slice(18), ['rotated', 'signing_key_limit', 'signing_key_limit']);
    assert.deepEqual((await published()).at(-1), first);
    await world.admin.query(sql`
      update agentic.signing_key set retires_at = clock_timestamp() - interval '1 second' where brand_id = ${brandId}::uuid and thumbprint = ${first?.['kid']}`);
    await rotateSigningKey(context, { brandId }, one.ports);
  });

  test('of one domain leave room for new ones of others', async () => {
    const { context, brandId } = await world.shop(one);
    await comes(brandId, platform.request(brandId, { signed: false }));
    const named = (at: number) => ({ 'ucp-agent': `profile="${platform.url}?${at}"` });
    const next = async (at: number) => comes(brandId, platform.request(brandId, { signed: false, headers: named(at) }));
    const fill = async (host: string, many: number): Promise<void> => {
      await world.admin.query(sql`
        insert into agentic.agent (tenant_id, agent_id, brand_id, protocol, profile_url, verdict)
        select ${context.tenant}::uuid, gen_random_uuid(), ${brandId}::uuid, 'ucp', 'https://' || n || ${host} || n, 'unsigned' from generate_series(1, ${many}::int) n`);
    };
    await fill('.agent.example/', 200);
    assert.ok(isId(await next(1)));
    await fill('.localhost:8443/', 97);
    assert.ok(isId(await next(2)));
    assert.equal(await next(3), 'agent_limit');
    assert.ok(isId(await next(2)), 'who came before comes in');
  });

  test('are as many new ones in a day as a brand meets at most, however many come at once', async () => {
    const { context, brandId } = await world.shop(one);
    await comes(brandId, platform.request(brandId, { signed: false }));
    await world.admin.query(sql`
      insert into agentic.agent (tenant_id, agent_id, brand_id, protocol, profile_url, verdict)
      select ${context.tenant}::uuid, gen_random_uuid(), ${brandId}::uuid, 'ucp', 'https://agent.example/' || n, 'unsigned' from generate_series(1, 997) n`);
    const named = (at: number) => ({ 'ucp-agent': `profile="${platform.url}?${at}"` });
    const answers = await world.admin.withClient(async (client) => {
      // All of them are here before the first one counts.
      await client.query('begin');
      await client.query('lock table agentic.agent in share mode');
      const sent = Array.from({ length: 6 }, async (_, at) =>
        comes(brandId, platform.request(brandId, { signed: false, headers: named(at) })),
      );
      await until(async () => {
        const [row] = await world.admin.query<{ waits: number }>(sql`
          select count(distinct pid)::int as waits from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`);
        return (row?.waits ?? 0) >= sent.length;
      });
      await client.query('rollback');
      return Promise.all(sent);
    });
    assert.equal(answers.filter((answer) => answer === 'agent_limit').length, 4, answers.join());
    assert.equal(answers.filter(isId).length, 2, answers.join());
  });
});
