import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { verifyChains } from '@steward/verification';
import { createWorld, sample, type Process, type World } from '../fixtures/world.ts';

describe('the log', () => {
  let world: World;
  let one: Process;
  let tenant: string;
  let other: string;
  before(async () => {
    world = await createWorld();
    one = world.process();
    [tenant, other] = [await one.tenant(), await one.tenant()];
    await one.audit.ingest(one.as(tenant, 'alice'), sample({ idempotency_key: 'kept-for-ever' }), 'snake');
  });
  after(async () => world[Symbol.asyncDispose]());

  async function attempt(url: string, ...statements: readonly string[]): Promise<string | undefined> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (const text of statements) await client.query(text);
      return undefined;
    } catch (error) {
      return (error as pg.DatabaseError).code;
    } finally {
      await client.end();
    }
  }

  const changes = ['event', 'head', 'idempotency'].flatMap((table) => [
    `update audit.${table} set tenant_id = tenant_id`,
    `delete from audit.${table}`,
    `truncate audit.${table} cascade`,
    `delete from audit.${table} where false`,
  ]);
  changes.push(
    `insert into audit.idempotency select * from audit.idempotency on conflict (tenant_id, key) do update set sequence = 1`,
    `merge into audit.event e using audit.head h on e.tenant_id = h.tenant_id when matched then delete`,
  );
  for (const change of changes) {
    test(`refuses the owner, whatever the replication role: ${change}`, async () => {
      assert.equal(await attempt(world.database.ownerUrl, change), '42501');
      assert.equal(await attempt(world.database.adminUrl, `set session_replication_role = replica`, change), '42501');
    });
    test(`refuses the application: ${change}`, async () => {
      const open = `set app.tenant_id = '${tenant}'`;
      assert.equal(await attempt(world.database.appUrl, open, change), '42501');
    });
  }

  test('takes rows from the application through its function only', async () => {
    for (const table of ['head', 'idempotency', 'event'])
      assert.equal(
        await attempt(world.database.appUrl, `insert into audit.${table} (tenant_id) values ('${tenant}')`),
        '42501',
      );
    assert.equal(await attempt(world.database.appUrl, `set role "${world.database.name}_job_audit_appender"`), '42501');
    assert.equal(await attempt(world.database.appUrl, 'select * from audit.idempotency'), '42501');
  });

  test('shows the application one tenant, and none where none is open', async () => {
    const rows = async (...before: readonly string[]): Promise<string[]> => {
      const client = new pg.Client({ connectionString: world.database.appUrl });
      await client.connect();
      for (const text of before) await client.query(text);
      const { rows } = await client.query<{ tenant_id: string }>('select distinct tenant_id from audit.event');
      await client.end();
      return rows.map(({ tenant_id }) => tenant_id);
    };
    assert.deepEqual(await rows(), []);
    assert.deepEqual(await rows(`set app.tenant_id = ''`), []);
    assert.deepEqual(await rows(`set app.tenant_id = '${tenant}'`), [tenant]);
  });

  const line = (of: string): string =>
    [
      of,
      '',
      '',
      '',
      '',
      '01a00000-0000-7000-8000-000000000001',
      'a.b',
      'audit',
      '2026-01-01T00:00:00.000Z',
      '',
      '',
      '{}',
      'ab'.repeat(32),
      '{}',
    ].join('\x1f');
  const append = (mode: string, ...of: readonly string[]): string =>
    `select * from audit.append('${mode}', false, '${of.map(line).join('\n')}')`;

  test('refuses an event for another tenant than the one of its transaction', async () => {
    assert.equal(
      await attempt(world.database.appUrl, 'begin', `set local app.tenant_id = '${tenant}'`, append('tenant', other)),
      '42501',
    );
    assert.equal(
      await attempt(
        world.database.appUrl,
        'begin',
        `set local app.tenant_id = '${tenant}'`,
        append('tenant', tenant, other),
      ),
      '42501',
    );
    assert.equal(await attempt(world.database.appUrl, append('tenant', tenant)), '42501');
    assert.equal(
      await attempt(world.database.appUrl, 'begin', `set local app.tenant_id = '${tenant}'`, append('skip', other)),
      '42501',
    );
    assert.equal(
      await attempt(
        world.database.appUrl,
        'begin',
        `set local app.tenant_id = '${tenant}'`,
        `select audit.open_chain('${other}')`,
      ),
      '42501',
    );
  });

  test('refuses a batch out of order and a mode it does not know', async () => {
    const [low = '', high = ''] = [tenant, other].toSorted();
    assert.equal(await attempt(world.database.appUrl, append('skip', high, low)), '22023');
    assert.equal(await attempt(world.database.appUrl, append('hurry', low)), '22023');
  });

  test('is whole after all of this', async () => {
    const verdict = await verifyChains({ ownerUrl: world.database.ownerUrl });
    assert.deepEqual([verdict.findings, verdict.events], [[], 3]);
  });
});
