import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import {
  createVisitor,
  createWorld,
  type Bootstrap,
  type Json,
  type Visitor,
  type World,
} from '@steward/conformance/world';
import { openPool, sql } from '@steward/sql';

const owner = 'owner@example.com';

describe('a person signed in to the console', () => {
  let world: World;
  let shop: Bootstrap;
  let origin: string;
  let api: string;
  let visitor: Visitor;
  const from = async (email: string): Promise<Visitor> => {
    const one = createVisitor(origin);
    await one.signIn(email);
    return one;
  };
  before(async () => {
    world = await createWorld();
    ({ origin } = new URL(world.server.addresses.portal));
    shop = await world.signUp(owner);
    api = `/console/api/o/${shop.tenant}`;
    visitor = await from(owner);
  });
  after(async () => world[Symbol.asyncDispose]());

  test('is known by a cookie that pages cannot read, and what is asked of each place is done as theirs', async () => {
    const { status, body } = await visitor.ask('/console/session');
    assert.equal(status, 200);
    assert.equal(String(body['person']?.['email']), owner);
    assert.equal(body['deciding_until'], null);
    assert.deepEqual(
      (body['organizations'] as unknown as readonly { id: string; role: string }[]).map(({ id, role }) => [id, role]),
      [[shop.tenant, 'owner']],
    );
    const [name = ''] = visitor.cookies.keys();
    assert.match(name, /^steward/);
    const members = await visitor.ask(`${api}/portal/api/members`);
    assert.equal(members.status, 200, members.text);
    assert.match(members.text, /owner@example\.com/);
    for (const path of ['accounting/api/audit/events', 'commerce/api/contacts', 'studio/api/forms']) {
      const answer = await visitor.ask(`${api}/${path}`);
      assert.equal(answer.status, 200, `${path} ${answer.text}`);
      assert.match(answer.headers.get('content-security-policy') ?? '', /sandbox/);
    }
    const organizations = await visitor.ask('/console/api/portal/api/organizations');
    // Pages know by it that theirs is of another version.
    const page = await fetch(origin, { headers: { accept: 'text/html' } });
    const html = await page.text();
    const entry = [/<script type="module"[^>]* src="([^"]+)"/, /<link rel="stylesheet"[^>]* href="([^"]+)"/]
      .map((tag) => tag.exec(html)?.[1])
      .join(' ');
    for (const { headers } of [organizations, await visitor.ask('/console/session')])
      assert.equal(headers.get('x-steward-console-entry'), page.status === 503 ? null : entry);
    assert.match(organizations.text, new RegExp(shop.tenant));
  });

  test('is signed out eight hours after they last did something, whatever an open page asks by itself meanwhile', async () => {
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    const left = await from(owner);
    const { body } = await left.ask('/console/sessions');
    const sessions = body['sessions'] as unknown as readonly { id: string; current: boolean }[];
    const id = sessions.find(({ current }) => current)?.id ?? '';
    const pass = async (hours: number): Promise<void> =>
      void (await admin.query(
        sql`update console.session set seen_at = seen_at - ${`${hours} hours`}::interval where session_id = ${id}::uuid`,
      ));
    const byItself = async (): Promise<number[]> => {
      const answers = [
        await left.ask('/console/session'),
        await left.ask(`${api}/portal/api/members`),
        await left.ask(`${api}/reads`, { method: 'POST', body: { reads: [{ path: 'portal/api/members' }] } }),
        await left.ask(`/console/events/${shop.tenant}`),
      ];
      return answers.map(({ status }) => status);
    };
    await pass(7);
    assert.deepEqual(await byItself(), [200, 200, 200, 200]);
    assert.equal((await left.ask('/console/session', { headers: { 'x-steward-acted': '1' } })).status, 200);
    await pass(7);
    assert.deepEqual(await byItself(), [200, 200, 200, 200]);
    await pass(2);
    assert.deepEqual(await byItself(), [401, 401, 401, 401]);
    const late = await left.ask('/console/session', { headers: { 'x-steward-acted': '1' } });
    assert.equal(late.status, 401);
  });

  test('sees no organization of others, however it is named', async () => {
    const other = await world.signUp('other@example.com');
    const stranger = await from('other@example.com');
    assert.equal((await stranger.ask(`${api}/portal/api/members`)).status, 403);
    const headers = { 'x-tenant-id': shop.tenant };
    const named = await stranger.ask(`/console/api/o/${other.tenant}/portal/api/members`, { headers });
    assert.equal(named.status, 200);
    assert.doesNotMatch(named.text, /owner@example\.com/);
    assert.equal((await stranger.ask('/console/api/portal/api/members', { headers })).status, 400);
  });

  test('decides by a login of now alone', async () => {
    const rename = { method: 'PATCH', body: { role: 'admin' } };
    const members = `${api}/portal/api/members`;
    const one = await from(owner);
    const before = await one.ask(`${members}/user/somebody`, rename);
    assert.ok([401, 403].includes(before.status), `${before.status} ${before.text}`);
    assert.match(before.text, /insufficient_scope|login_too_old/);
    // The provider knows the person, and asks all the same.
    const page = await one.go('/console/step-up?to=/console/stepped-up');
    assert.match(page.url.pathname, /interaction/);
    assert.match(page.text, new RegExp(`value="${owner}"`), 'it need not be typed again');
    await one.signIn(owner, '/console/step-up?to=/console/stepped-up');
    const session = await one.ask('/console/session');
    const left = Date.parse(String(session.body['deciding_until'])) - Date.now();
    assert.ok(left > 0 && left <= 15 * 60_000, String(left));
    const after = await one.ask(`${members}/user/somebody`, rename);
    assert.doesNotMatch(after.text, /insufficient_scope|login_too_old/);
  });

  test('is nobody else by a fresh login as somebody else', async () => {
    const one = await from(owner);
    for (const name of one.cookies.keys()) if (name.startsWith('steward_idp')) one.cookies.delete(name);
    const answer = await one.signIn('other@example.com', '/console/step-up?to=/console/stepped-up');
    assert.equal(answer.status, 401, answer.text);
    assert.equal((await one.ask('/console/session')).body['deciding_until'], null);
  });

  test('is led back to pages of the console alone', async () => {
    const led = async (to: string): Promise<string> => {
      const one = createVisitor(origin);
      const { url } = await one.signIn(owner, `/console/sign-in?to=${encodeURIComponent(to)}`);
      assert.equal(url.origin, origin, to);
      return url.pathname;
    };
    assert.equal(await led(`/o/${shop.tenant}/approvals`), `/o/${shop.tenant}/approvals`);
    for (const to of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      '/o/../idp/authorize',
      '/portal/api/members',
      'javascript:alert(1)',
      '/console/sign-in',
    ])
      assert.equal(await led(to), '/', to);
  });

  test('opens an organization of their own, by a token that decides nothing', async () => {
    const founder = await from('founder@example.com');
    const asked = {
      method: 'POST',
      body: { organizationName: 'Fjord Bikes', defaultCurrency: 'NOK' },
      headers: { 'idempotency-key': 'fjord-bikes' },
    };
    const { status, body } = await founder.ask('/console/api/portal/api/external-agent/signup', asked);
    assert.equal(status, 201, JSON.stringify(body));
    const { body: mine } = await founder.ask('/console/api/portal/api/organizations');
    assert.match(JSON.stringify(mine), /Fjord Bikes/);
  });

  test('does nothing that another site asks for', async () => {
    const path = `${api}/portal/api/organization`;
    const body = { name: 'Taken' };
    const others: readonly Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'x-steward-console': '' },
      { 'sec-fetch-site': '' },
    ];
    for (const headers of others) {
      const answer = await visitor.ask(path, { method: 'PATCH', body, headers });
      assert.equal(answer.status, 400, JSON.stringify(headers));
    }
    for (const site of ['cross-site', 'same-site'])
      assert.equal((await visitor.ask(path, { headers: { 'sec-fetch-site': site } })).status, 400, site);
    assert.equal(
      (await visitor.ask('/console/sign-out', { method: 'POST', headers: { 'sec-fetch-site': 'same-site' } })).status,
      400,
    );
    assert.equal((await visitor.ask('/console/session')).status, 200);
  });

  test('is signed in by a page of ours that they visit, and not by another site or its pictures', async () => {
    const one = createVisitor(origin);
    for (const site of ['cross-site', 'same-site'])
      for (const path of ['/console/sign-in', '/console/step-up']) {
        const answer = await one.go(path, { headers: { 'sec-fetch-site': site }, follow: false });
        assert.equal(answer.headers.get('location'), '/', `${site} ${path}`);
      }
    const picture = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
    const paths = ['/console/sign-in', '/console/step-up', '/console/signed-in'];
    const asked = Array.from({ length: 90 }, async (_one, at) =>
      one.go(paths[at % 3] ?? '', { headers: picture, follow: false }),
    );
    for (const { status } of await Promise.all(asked)) assert.equal(status, 400);
    assert.equal(one.cookies.size, 0);
    await one.signIn(owner);
    assert.equal((await one.ask('/console/session')).status, 200, 'and no limit was used up by them');
  });

  test('has one session in a browser: a new sign-in ends the one before', async () => {
    const one = await from('four@example.com');
    const [name = '', key = ''] = [...one.cookies].find(([each]) => /^steward-\d+$/.test(each)) ?? [];
    await one.signIn('four@example.com');
    assert.notEqual(one.cookies.get(name), key);
    const { body } = await one.ask('/console/sessions');
    assert.equal((body['sessions'] as unknown as unknown[]).length, 1);
    const old = createVisitor(origin);
    old.cookies.set(name, key);
    assert.equal((await old.ask('/console/session')).status, 401);
  });

  test('completes the sign-in that they began last, whatever comes back of one before', async () => {
    const one = await from('two-windows@example.com');
    const begin = async (): Promise<string> => {
      const { headers } = await one.go('/console/step-up', { follow: false });
      return new URL(headers.get('location') ?? '').searchParams.get('state') ?? '';
    };
    const first = await begin();
    await begin();
    const before = [...one.cookies];
    const answer = await one.go(`/console/signed-in?code=any&state=${first}`, { follow: false });
    assert.equal(answer.status, 401);
    assert.match(answer.text, /Another sign-in was begun in this browser after this one/);
    assert.deepEqual([...one.cookies], before);
  });

  test('hears nothing more once they are signed out, and follows events five times at most', async () => {
    const one = await from(owner);
    const cookie = [...one.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    // By each address that leads to them.
    const ways = [
      `/console/events/${shop.tenant}`,
      `${api}/portal/api/events/stream`,
      `${api}/portal/api/events/s%74ream`,
    ];
    const follow = async (way: string): Promise<Response> =>
      fetch(`${origin}${way}`, {
        headers: { accept: 'text/event-stream', cookie, 'sec-fetch-site': 'same-origin', 'x-steward-console': '1' },
      });
    const streams = await Promise.all([...ways, ...ways].map(follow));
    assert.deepEqual(streams.map(({ status }) => status).toSorted(), [200, 200, 200, 200, 200, 429]);
    const read = streams.filter(({ status }) => status === 200).map(async (stream) => stream.text());
    await one.ask('/console/sign-out', { method: 'POST' });
    // They end, and were whole until then.
    assert.equal((await Promise.all(read)).length, 5);
  });

  test('ends the connection of a body that is too large, so that the next request is not waited for in it', async () => {
    const document = 'x'.repeat(2_000_000);
    const answer = await visitor.ask(`${api}/accounting/graphql`, { method: 'POST', body: { document } });
    assert.deepEqual([answer.status, answer.headers.get('connection')], [413, 'close']);
    assert.equal((await visitor.ask('/console/session')).status, 200);
  });

  test('reaches the API and nothing else by it', async () => {
    const { tenant } = shop;
    for (const path of [
      `${api}/portal/approvals`,
      `${api}/portal/api/../approvals`,
      `${api}/portal/api/%2e%2e/approvals`,
      `${api}/portal/api/..%2fapprovals`,
      `${api}/portal/api//members`,
      `${api}/portal/api/`,
      `${api}/mcp/api/x`,
      `${api}/commerce/storefront/v1/forms`,
      `${api}/accounting/graphql/x`,
      `${api}/portal/graphql`,
      '/console/api/accounting/graphql',
      `/console/api/o/${tenant}x/portal/api/members`,
      '/console/api/o/portal/api/members',
      '/console/nothing',
    ]) {
      const answer = await visitor.ask(path);
      assert.equal(answer.status, 404, `${path} ${answer.status} ${answer.text}`);
    }
    for (const body of [{ query: '{ __typename }' }, { document: 'none' }, { document: '../x' }, []]) {
      const answer = await visitor.ask(`${api}/accounting/graphql`, { method: 'POST', body });
      assert.equal(answer.status, 400, answer.text);
    }
    assert.equal((await visitor.ask(`${api}/accounting/graphql?query={__typename}`)).status, 405);
    assert.equal((await visitor.ask('/console/approvals/x', { method: 'POST', body: {} })).status, 405);
  });

  test('is answered by every route that reads, and no answer has a token or runs as a page of this origin', async () => {
    const document = new URL('../../docs/reference/openapi.json', import.meta.url);
    const { paths } = JSON.parse(readFileSync(document, 'utf8')) as { paths: Record<string, Record<string, unknown>> };
    const asked = Object.entries(paths).flatMap(([path, methods]) => {
      const [, place = '', rest = ''] = /^\/(portal|accounting|commerce|studio)(\/api\/.+)$/.exec(path) ?? [];
      return 'get' in methods && rest !== '' && !rest.endsWith('/stream')
        ? [`${api}/${place}${rest.replaceAll(/\{\w+\}/g, shop.tenant)}`]
        : [];
    });
    assert.ok(asked.length > 60, `${asked.length} found`);
    for (const path of [...asked, '/console/session', '/console/sessions', '/console/providers']) {
      const { status, text, headers } = await visitor.ask(path);
      assert.ok(status < 500, `${path} ${status}`);
      assert.notEqual(status, 401, path);
      assert.doesNotMatch(`${text}${JSON.stringify([...headers])}`, /eyJhbGciOi/, path);
      if (asked.includes(path)) assert.match(headers.get('content-security-policy') ?? '', /sandbox/, path);
    }
  });

  test('is signed out everywhere that they say, at once', async () => {
    const here = await from('two@example.com');
    const there = await from('two@example.com');
    const { body } = await here.ask('/console/sessions');
    const sessions = body['sessions'] as unknown as { id: string; current: boolean; client: string }[];
    assert.equal(sessions.length, 2);
    assert.ok(sessions.every(({ client }) => client === 'Visitor/1'));
    const other = sessions.find(({ current }) => !current)?.id ?? '';
    assert.equal(
      (await visitor.ask(`/console/sessions/${other}`, { method: 'DELETE' })).status,
      404,
      'of somebody else',
    );
    assert.equal((await here.ask(`/console/sessions/${other}`, { method: 'DELETE' })).status, 204);
    assert.equal((await there.ask('/console/session')).status, 401);
    assert.equal((await here.ask('/console/sign-out', { method: 'POST' })).status, 200);
    assert.equal((await here.ask('/console/session')).status, 401);
    assert.equal(here.cookies.size, there.cookies.size - 1, 'the cookie is gone');
  });

  test('is in the log of their organization as they come, may decide, and go', async () => {
    const one = await from(owner);
    await one.signIn(owner, '/console/step-up?to=/console/stepped-up');
    const { body } = await one.ask('/console/sessions');
    const id = (body['sessions'] as unknown as { id: string; current: boolean }[]).find(({ current }) => current)?.id;
    await one.ask('/console/sign-out', { method: 'POST' });
    const events = await visitor.ask(`${api}/accounting/api/audit/events?type=console.session.*&limit=500`);
    const mine = (events.body['items'] as unknown as Json[]).filter(
      ({ payload }) => String(payload?.['session_id']) === id,
    );
    assert.deepEqual(mine.map(({ type }) => String(type)).toReversed(), [
      'console.session.started',
      'console.session.stepped_up',
      'console.session.ended',
    ]);
    const [{ principal_chain: chain } = {} as Json] = mine;
    assert.match(JSON.stringify(chain), /"user"/);
    assert.doesNotMatch(JSON.stringify(chain), /agent/);
  });

  test('keeps nothing readable in the database, and a copied row opens no other session', async () => {
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    const rows = await admin.query<{ all: string }>(sql`select s::text as all from console.session s`);
    for (const { all } of rows) {
      assert.doesNotMatch(all, /eyJhbGciOi|owner@example/);
      for (const key of visitor.cookies.values()) assert.ok(!all.includes(key));
    }
    const thief = await from('thief@example.com');
    await admin.query(sql`
      update console.session t set sealed = o.sealed, subject = o.subject from console.session o
      where o.subject = (select p.id from identity.person p where p.email = ${owner} limit 1)
        and t.session_id = (select session_id from console.session order by started_at desc limit 1)`);
    assert.equal((await thief.ask('/console/session')).status, 401);
  });

  test('renews their tokens once, however many pages ask at the same time, and goes on', async () => {
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    const one = await from('three@example.com');
    const [before] = await admin.query<{ version: number }>(
      sql`select version from console.session order by started_at desc limit 1`,
    );
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => one.ask('/console/api/accounting/api/nothing')),
    );
    for (const { status } of answers) assert.notEqual(status, 401);
    const [after] = await admin.query<{ version: number }>(
      sql`select version from console.session order by started_at desc limit 1`,
    );
    assert.equal(Number(after?.version) - Number(before?.version), 1);
    assert.equal((await one.ask('/console/session')).status, 200);
  });

  test('hears what is announced, by ids alone', async () => {
    const asked = await visitor.ask(`/console/events/${shop.tenant}`);
    assert.equal(asked.status, 200, asked.text);
    assert.match(asked.headers.get('content-type') ?? '', /event-stream/);
    assert.equal((await createVisitor(origin).ask(`/console/events/${shop.tenant}`)).status, 401);
  });
});
