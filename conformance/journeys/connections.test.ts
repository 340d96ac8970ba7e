import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { openPool, sql } from '@steward/sql';
import {
  createWorld,
  hireAgent,
  openShop,
  startServer,
  type Answer,
  type Json,
  type World,
} from '@steward/conformance/world';
import { createDatabaseProxy, type DatabaseProxy } from '@steward/testing';

const document = JSON.parse(
  readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8'),
) as Json;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: { readonly enum?: readonly string[]; readonly format?: string; readonly pattern?: string };
}

const anId = '01890000-0000-7000-8000-000000000000';

/** Something that the parameter takes, as far as its schema tells. */
function valueOf({ name, schema }: Parameter): string {
  if (schema.enum !== undefined) return schema.enum[0] ?? '';
  if (schema.format === 'uuid') return anId;
  if (schema.format === 'date') return '2026-01-31';
  if (schema.format === 'date-time' || /(?:From|Before|_from|_before)$/.test(name)) {
    const month = /before$/i.test(name) ? '02' : '01';
    if (!name.startsWith('sequence')) return `2026-${month}-28T00:00:00Z`;
  }
  if (name === 'principal') return 'user:somebody';
  if (name === 'grammar') return 'portal';
  if (name === 'type') return 'portal.tenant.created';
  if (name === 'defaultCountry') return 'NO';
  if (name === 'phone') return '+4712345678';
  return '1';
}

interface Route {
  readonly address: string;
  /** What it filters by. */
  readonly filters: readonly Parameter[];
}

/** Every route that is read and filters. */
const routes: readonly Route[] = Object.entries(document['paths'] ?? {})
  .map(([path, operations]) => ({
    address: path.replaceAll(/\{[^}]+\}/g, anId),
    filters: ((operations['get']?.['parameters'] ?? []) as unknown as readonly Parameter[]).filter(
      (one) => one.in === 'query' && one.name !== 'cursor',
    ),
  }))
  .filter(({ filters }) => filters.length > 0);

/** Requests of one route, each with another combination of its filters: all there are, the bare one first. */
function* combinations({ address, filters }: Route): Generator<string> {
  const all = 2 ** filters.length;
  for (let n = 0; n < all; n += 1) {
    // A step without a common divisor meets each once.
    const mask = (n * 2_654_435_761) % all;
    const chosen = filters.filter((one, index) => one.required === true || Math.floor(mask / 2 ** index) % 2 === 1);
    yield `${address}?${new URLSearchParams(chosen.map((one) => [one.name, valueOf(one)])).toString()}`;
  }
}

describe('a process and its connections', () => {
  let world: World;
  let proxy: DatabaseProxy;
  before(async () => {
    // Ten: one asks whether the process is ready, four follow events, five are for requests.
    world = await createWorld({ DATABASE_POOL: '10' }, async (db) => {
      proxy = await createDatabaseProxy(db.appUrl);
      return { DATABASE_URL: proxy.through(db.appUrl) };
    });
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  const get = async (path: string, token: string, tenant: string): Promise<Answer> =>
    world.call(new URL(path, world.server.addresses.mcp).href, { token, tenant });

  test('prepare no more than so many statements, whatever combinations of filters are asked for', async () => {
    const { token, tenant } = await world.signUp('sweep@example.com');
    const statuses = new Map<number, number>();
    const ask = async (path: string): Promise<void> => {
      const { status, body } = await get(path, token, tenant);
      assert.ok(
        status < 500 || body['code'] === ('provider_not_configured' as never),
        `${path}: ${JSON.stringify(body)}`,
      );
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    };
    for (const route of routes) for (const path of combinations(route).take(10)) await ask(path);
    // Thousands of statements are known of this route: until one connection is full, however requests fell to them, and
    // then as many again as would overfill it.
    const events = routes.find(({ address }) => address.endsWith('/api/audit/events'));
    assert.ok(events !== undefined);
    let more = 400;
    for (const path of combinations(events)) {
      await ask(path);
      if (Math.max(...proxy.prepared) > 190) more -= 1;
      if (more === 0) break;
    }
    assert.equal(more, 0);
    assert.ok((statuses.get(200) ?? 0) > 250, JSON.stringify([...statuses]));
    assert.ok(Math.max(...proxy.prepared) > 190, JSON.stringify(proxy.prepared));
    assert.ok(Math.max(...proxy.prepared) <= 200, JSON.stringify(proxy.prepared));
  });

  test('are shared fairly: imports of one tenant that all wait keep no other tenant waiting', async () => {
    const flood = await world.signUp('flood@example.com');
    const quiet = await world.signUp('quiet@example.com');
    const call = async (name: string, args: object): Promise<Json> => {
      const { body } = await world.call(world.server.addresses.mcp, {
        token: flood.token,
        tenant: flood.tenant,
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      });
      return body['result']?.['structuredContent'] ?? body;
    };
    await using admin = openPool({ url: world.db.adminUrl, size: 2 });
    const [account] = await admin.query<{ id: string }>(sql`
      select account_id as id from accounting.account where tenant_id = ${flood.tenant}::uuid and code = '1000'`);
    const released = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    // What an import of this account waits for, so that each holds what it has until it is released.
    const held = admin.withClient(async (client) => {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 7))', [account?.id]);
      locked.resolve();
      await released.promise;
      await client.query('commit');
    });
    await locked.promise;
    let imported = 0;
    const imports = Array.from({ length: 16 }, async (_, n) => {
      const answer = await call('service_import_bank_statement', {
        account: '1000',
        format: 'csv',
        content: `Date,Amount,Description\n2026-01-20,7.00,Line ${n}\n`,
      });
      imported += 1;
      return answer;
    });
    const waiting = async (): Promise<unknown> =>
      (
        await admin.query(sql`
          select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`)
      )[0]?.['n'];
    try {
      while ((await waiting()) === 0) await sleep(10);
      for (let n = 0; n < 30; n += 1) {
        assert.equal((await get('/accounting/api/accounts?limit=5', quiet.token, quiet.tenant)).status, 200);
        assert.equal((await get('/accounting/api/accounts?limit=5', flood.token, flood.tenant)).status, 200);
      }
      assert.equal((await get('/readyz', '', '')).status, 200);
      assert.equal(imported, 0);
    } finally {
      released.resolve();
      await held;
    }
    for (const answer of await Promise.all(imports)) assert.equal(answer['status'], 'ok', JSON.stringify(answer));
  });

  test('that are all cut are made anew, and while there is none each refusal is one line of the log', async () => {
    const { token, tenant } = await world.signUp('away@example.com');
    const nowhere = createServer().listen(0, '127.0.0.1');
    await once(nowhere, 'listening');
    const { port } = nowhere.address() as { port: number };
    nowhere.close();
    proxy.lead(`postgres://127.0.0.1:${port}/none`);
    proxy.cut();
    const from = world.server.output().length;
    assert.equal((await get('/readyz', '', '')).status, 503);
    const refused = await get('/accounting/api/accounts', token, tenant);
    assert.deepEqual([refused.status, refused.body['code']], [503, 'unavailable']);
    proxy.lead(world.db.appUrl);
    while ((await get('/readyz', '', '')).status !== 200) await sleep(20);
    assert.equal((await get('/accounting/api/accounts', token, tenant)).status, 200);
    const lines = world.server.output().slice(from).trim().split('\n');
    const own = lines.filter((line) => line.includes('/accounting/api/accounts'));
    assert.equal(own.length, 1, own.join('\n'));
    for (const line of lines) assert.doesNotMatch(line, /"stack"/);
    for (const line of lines) JSON.parse(line);
  });

  test('over which nothing comes any more are given up: forms are refused, the process is not ready, and both go on after it', async () => {
    await using agent = await hireAgent(world, 'hole@example.com');
    const { formId, key } = await openShop(agent, [], []);
    const submit = async (name: string): Promise<Answer> =>
      world.call(`${world.server.addresses.storefront}/forms/${formId}/submit`, {
        headers: { 'x-service-sdk-key': key },
        body: { data: { full_name: name, email: `${name}@example.com`, consent: true } },
      });
    assert.equal((await submit('before')).status, 201);
    proxy.stall();
    const [refused, ready, healthy, read] = await Promise.all([
      submit('meanwhile'),
      get('/readyz', '', ''),
      get('/healthz', '', ''),
      get('/accounting/api/accounts', agent.token, agent.tenant),
    ]);
    // Nothing was committed: it is known not to be stored.
    assert.deepEqual([refused.status, refused.body['code']], [503, 'unavailable']);
    assert.deepEqual([ready.status, healthy.status], [503, 200]);
    assert.deepEqual([read.status, read.body['code']], [503, 'unavailable']);
    proxy.resume();
    while ((await get('/readyz', '', '')).status !== 200) await sleep(20);
    assert.equal((await submit('after')).status, 201);
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    const names = await admin.query<{ name: string }>(sql`
      select data::json ->> 'full_name' as name from commerce.submission where tenant_id = ${agent.tenant} order by 1`);
    assert.deepEqual(
      names.map(({ name }) => name),
      ['after', 'before'],
    );
  });

  test('tell at start where no database is, in one sentence', async () => {
    const env = { DATA_DIR: `${world.dataDir}/none` };
    await assert.rejects(
      startServer({ ...env, DATABASE_URL: 'postgres://login:secret@127.0.0.1:1,127.0.0.1:2/steward' }),
      (error: Error) =>
        /^the server ended with 1: The database at 127\.0\.0\.1:1,127\.0\.0\.1:2\/steward does not answer there: .*\.\n$/.test(
          error.message,
        ),
    );
    await assert.rejects(startServer({ ...env, DATABASE_URL: 'mysql://127.0.0.1/steward' }), /must be postgres:\/\//);
  });

  test('a process that is asked to stop says so first, and serves on for as long as it was told', async () => {
    const { token, tenant } = await world.signUp('leaving@example.com');
    const other = await world.another({ SHUTDOWN_DELAY_SECONDS: '2' });
    const there = await world.token({ user: 'leaving@example.com' }, other);
    const ask = async (path: string): Promise<number> =>
      (await world.call(new URL(path, other.addresses.mcp).href, { token: there, tenant })).status;
    assert.equal(await ask('/readyz'), 200);
    const stopped = other.stop();
    while ((await ask('/readyz')) === 200) await sleep(5);
    assert.equal(await ask('/readyz'), 503);
    assert.equal(await ask('/accounting/api/accounts'), 200);
    assert.equal(await ask('/healthz'), 200);
    assert.equal(await stopped, 0);
    await assert.rejects(ask('/readyz'));
    assert.equal((await get('/accounting/api/accounts', token, tenant)).status, 200);
  });
});
