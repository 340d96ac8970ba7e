import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { newId, Problem, type RecordedEvent, undeclared } from '@steward/kernel';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import {
  createTenancy,
  type Decision,
  openPool,
  sql,
  type Admission,
  type SqlPool,
  type Tenancy,
  type TenancyPorts,
  type TenantContext,
} from '../index.ts';

const schema = `
create schema shop;
grant usage on schema shop to {{app}};
create table shop.note (tenant_id uuid not null, note_id uuid not null, words text not null, primary key (tenant_id, note_id));
alter table shop.note enable row level security;
alter table shop.note force row level security;
create policy tenant on shop.note using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select, insert on shop.note to {{app}};
create table shop.member (tenant_id uuid, id text, role text);
grant select, update on shop.member to {{app}};`;

const write = { name: 'notes.write', roles: new Set(['owner']) };
const read = { name: 'notes.read', roles: new Set(['owner', 'viewer']) };

const noted = (payload: Readonly<Record<string, unknown>>): RecordedEvent =>
  undeclared({ type: 'shop.note.added', eventVersion: '1.0.0', grammar: 'shop', source: 'shop', payload });

describe('a tenant context', () => {
  let folder: string;
  let db: TestDatabase;
  let pool: SqlPool;
  let ports: TenancyPorts;
  let tenancy: Tenancy;
  const appended: (readonly RecordedEvent[])[] = [];
  const [alpha, beta] = [newId(), newId()];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-sql-'));
    await mkdir(join(folder, 'm'));
    await writeFile(join(folder, 'm', '001-notes.sql'), schema);
    db = await createTestDatabase([{ component: 'shop', folder: pathToFileURL(join(folder, 'm/')) }]);
    pool = openPool({ url: db.appUrl, size: 1 });
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    await admin.query(
      sql`insert into shop.member values (${alpha}::uuid, 'alice', 'owner'), (${beta}::uuid, 'bob', 'owner'), (${alpha}::uuid, 'carol', 'viewer')`,
    );
    ports = {
      pool,
      openTenant: (tenant, subject) => sql`
        select set_config('app.tenant_id', ${tenant}, true), (select role from shop.member where tenant_id = ${tenant}::uuid and id = ${subject.id}) as role`,
      append: async (_tx, events) => {
        appended.push(events);
      },
      publish: async () => undefined,
    };
    tenancy = createTenancy(ports);
  });
  after(async () => {
    await pool.close();
    await db[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const admission = (id: string, tenant: string): Admission => {
    const principal = { type: 'user', id } as const;
    return {
      tenant,
      chain: [principal],
      subject: principal,
      caller: principal,
      requestId: 'r',
      correlationId: 'c',
    };
  };
  const as = (id: string, tenant: string): TenantContext => tenancy.context(admission(id, tenant));
  const add = async (context: TenantContext, words: string): Promise<void> =>
    context.require(write).write(async (tx) => {
      await tx.query(sql`insert into shop.note values (${context.tenant}::uuid, ${newId()}::uuid, ${words})`);
      tx.record(noted({ words }));
    });
  const words = async (context: TenantContext): Promise<unknown[]> =>
    (await context.require(read).read(sql`select words from shop.note order by words`)).map((row) => row['words']);
  const refused = async (work: Promise<unknown>, code: string): Promise<void> => {
    await assert.rejects(work, (error: unknown) => error instanceof Problem && error.code === code);
  };

  test('two tenants on one connection never see each other', async () => {
    await add(as('alice', alpha), 'of alpha');
    await add(as('bob', beta), 'of beta');
    for (let round = 0; round < 5; round += 1) {
      const seen = await Promise.all([words(as('alice', alpha)), words(as('bob', beta))]);
      assert.deepEqual(seen, [['of alpha'], ['of beta']]);
    }
    assert.deepEqual(await pool.query(sql`select * from shop.note`), [], 'no tenant is left set on the connection');
  });

  test('a row of another tenant cannot be written', async () => {
    const context = as('alice', alpha);
    await assert.rejects(
      context
        .require(write)
        .write(async (tx) => tx.query(sql`insert into shop.note values (${beta}::uuid, ${newId()}::uuid, 'smuggled')`)),
      /row-level security/,
    );
    assert.deepEqual(await words(as('bob', beta)), ['of beta']);
  });

  test('tenants that share a transaction have each their own in it, whoever was visited last, and none is set for what is not theirs', async () => {
    const told: { kind: string; of: string }[] = [];
    const note =
      (kind: string) =>
      (_tx: unknown, events: readonly { readonly of: Admission }[]): void =>
        void told.push(...events.map(({ of }) => ({ kind, of: of.tenant })));
    const sharing = createTenancy({ ...ports, together: { append: note('recorded'), publish: note('published') } });
    const sharers = { name: 'notes.share', roles: new Set(['platform']) };
    const smuggled = sql`insert into shop.note values (${beta}::uuid, ${newId()}::uuid, 'smuggled')`;
    await sharing.multiTenantTransaction(sharers, async (shared) => {
      for (const tenant of [alpha, beta]) {
        const tx = shared.asTenant(admission('job', tenant));
        assert.equal(tx.context.tenant, tenant);
        const seen = await tx.query(sql`select distinct tenant_id from shop.note`);
        assert.deepEqual(seen, [{ tenant_id: tenant }]);
        await tx.query(sql`insert into shop.note values (${tenant}::uuid, ${newId()}::uuid, 'shared')`);
        tx.publish(undeclared({ type: 'a', source: 'a', data: {} }));
        tx.record(undeclared({ type: 'a', eventVersion: '1', grammar: 'a', source: 'a', payload: {} }));
      }
    });
    assert.deepEqual(told, [
      { kind: 'published', of: alpha },
      { kind: 'published', of: beta },
      { kind: 'recorded', of: alpha },
      { kind: 'recorded', of: beta },
    ]);
    assert.deepEqual(await words(as('alice', alpha)), ['of alpha', 'shared']);
    await sharing.multiTenantTransaction(sharers, async (shared) => {
      const [first, second] = [shared.asTenant(admission('job', alpha)), shared.asTenant(admission('job', beta))];
      const tenantsSeen = sql`select distinct tenant_id from shop.note`;
      // Whoever was visited last, and whatever was sent between.
      for (let turn = 0; turn < 2; turn += 1) {
        assert.deepEqual(await first.query(tenantsSeen), [{ tenant_id: alpha }]);
        second.later(sql`insert into shop.note values (${beta}::uuid, ${newId()}::uuid, 'shared')`);
        assert.deepEqual(await shared.query(tenantsSeen), []);
        assert.deepEqual(await second.queryAll([tenantsSeen]), [[{ tenant_id: beta }]]);
      }
    });
    assert.deepEqual(await words(as('bob', beta)), ['of beta', 'shared', 'shared', 'shared']);
    await assert.rejects(
      sharing.multiTenantTransaction(sharers, async (shared) =>
        shared.asTenant(admission('job', alpha)).query(smuggled),
      ),
      /row-level security/,
    );
    await assert.rejects(
      sharing.multiTenantTransaction(sharers, async (shared) => shared.query(smuggled)),
      /row-level security/,
    );
    await refused(
      sharing.multiTenantTransaction(write, async () => undefined),
      'insufficient_role',
    );
    await assert.rejects(
      tenancy.multiTenantTransaction(sharers, async () => undefined),
      /nothing was plugged in/,
    );
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    await admin.query(sql`delete from shop.note where words = 'shared'`);
  });

  test('a stranger and a missing tenant are answered alike, a weak role is told apart', async () => {
    await refused(words(as('bob', alpha)), 'tenant_forbidden');
    await refused(words(as('bob', newId())), 'tenant_forbidden');
    assert.deepEqual(await words(as('carol', alpha)), ['of alpha']);
    await refused(add(as('carol', alpha), 'no'), 'insufficient_role');
    await refused(add(as('bob', alpha), 'no'), 'tenant_forbidden');
  });

  test('what a failed verb wrote, recorded and scheduled is gone', async () => {
    const before = appended.length;
    let ran = false;
    await assert.rejects(
      as('alice', alpha)
        .require(write)
        .write(async (tx) => {
          tx.afterCommit(() => {
            ran = true;
          });
          await tx.query(sql`insert into shop.note values (${alpha}::uuid, ${newId()}::uuid, 'half done')`);
          tx.record(noted({}));
          throw new Error('no');
        }),
      /^Error: no$/,
    );
    assert.deepEqual(await words(as('alice', alpha)), ['of alpha']);
    assert.equal(appended.length, before);
    assert.equal(ran, false);
  });

  test('a verb that goes on after a failed statement fails as a whole, unless it went back to a savepoint', async () => {
    const careless = async (savepoint: boolean): Promise<void> =>
      as('alice', alpha)
        .require(write)
        .write(async (tx) => {
          await tx.query(sql`insert into shop.note values (${alpha}::uuid, ${newId()}::uuid, 'careless')`);
          if (savepoint) await tx.query(sql`savepoint before`);
          await tx.query(sql`select 1 / 0`).catch(() => undefined);
          if (savepoint) await tx.query(sql`rollback to savepoint before`);
        });
    for (let round = 0; round < 50; round += 1) await assert.rejects(careless(false), { name: 'StatementFailed' });
    assert.deepEqual(await words(as('alice', alpha)), ['of alpha']);
    await careless(true);
    assert.deepEqual(await words(as('alice', alpha)), ['careless', 'of alpha']);
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    await admin.query(sql`delete from shop.note where words = 'careless'`);
  });

  test('what a verb asks for at once travels together and in order, and nothing of it is sent after the verb has ended', async (t) => {
    const [roundTrips, answers] = await as('alice', alpha)
      .require(write)
      .write(async (tx) => {
        const { mock } = t.mock.method(tx.client, 'query');
        tx.later(sql`select set_config('shop.step', 'first', true)`);
        const answered = await Promise.all([
          tx.query(sql`select current_setting('shop.step') as step`),
          tx.queryAll([
            sql`select set_config('shop.step', 'second', true)`,
            sql`select current_setting('shop.step') as step`,
          ]),
          tx.query(sql`select 1 as last`),
        ]);
        mock.restore();
        return [mock.callCount(), answered];
      });
    assert.equal(roundTrips, 1);
    assert.deepEqual(answers, [[{ step: 'first' }], [[{ set_config: 'second' }], [{ step: 'second' }]], [{ last: 1 }]]);
    const late = as('alice', alpha)
      .require(write)
      .write(async (tx) => {
        void tx
          .query(sql`insert into shop.note values (${alpha}::uuid, ${newId()}::uuid, 'late')`)
          .catch(() => undefined);
        throw new Error('over');
      });
    await assert.rejects(late, /^Error: over$/);
    assert.equal((await words(as('alice', alpha))).includes('late'), false);
  });

  test('a statement that fails in a batch leaves the connection and its prepared statements usable', async () => {
    const divide = (by: number) => sql`select 10 / ${by}::int as result`;
    await assert.rejects(pool.queryAll([sql`select 1 as one`, divide(0)]), /division by zero/);
    for (let round = 0; round < 3; round += 1) {
      const [, rows] = await pool.queryAll([sql`select 1 as one`, divide(5)]);
      assert.deepEqual(rows, [{ result: 2 }]);
    }
  });

  test('a bigint beyond 2^53 comes back exactly', async () => {
    const [row] = await pool.query(sql`select ${9_007_199_254_740_993n}::bigint as amount`);
    assert.equal(row?.['amount'], 9_007_199_254_740_993n);
  });

  test('reading and writing go on when every connection in the pool was cut at once', async () => {
    await using wide = openPool({ url: db.appUrl, size: 8 });
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    const busy = createTenancy({ ...ports, pool: wide });
    const context = busy.context(admission('alice', alpha));
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(Array.from({ length: 8 }, async () => words(context)));
      await admin.query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'steward' and pid <> pg_backend_pid()
          and usename = ${new URL(db.appUrl).username}`);
      if (round % 2 === 0) await add(context, `after cut ${round}`);
      else await words(context);
    }
    assert.equal((await words(context)).filter((word) => String(word).startsWith('after cut')).length, 3);
  });

  test('a transaction that was cut while it committed is not carried out again', async () => {
    let works = 0;
    await using wide = openPool({ url: db.appUrl, size: 2 });
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    const cutting = createTenancy({
      ...ports,
      pool: wide,
      // The last statement of a transaction; the commit is sent on a connection that is already cut.
      append: async (tx) => {
        const [own] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        const ended = new Promise((resolve) => {
          tx.client.once('end', resolve);
        });
        await admin.query(sql`select pg_terminate_backend(${own?.pid ?? 0}::int)`);
        await ended;
      },
    });
    const context = cutting.context(admission('alice', alpha));
    await refused(
      context.require(write).write(async (tx) => {
        works += 1;
        tx.record(noted({}));
      }),
      'unavailable',
    );
    assert.equal(works, 1);
  });

  test('a database that ends a connection is answered as unavailable, or as unknown where it may have written, and the next call works', async () => {
    await refused(pool.read(sql`select pg_terminate_backend(pg_backend_pid())`), 'unavailable');
    await refused(pool.query(sql`select pg_terminate_backend(pg_backend_pid())`), 'outcome_unknown');
    assert.equal((await pool.query(sql`select 1 as one`)).length, 1);
  });

  test('where access has changed since it was decided, nothing is read or done before it is decided again', async () => {
    let current = 1n;
    let under = 1n;
    const asked: bigint[] = [];
    const compared = createTenancy({
      ...ports,
      openTenant: (tenant, subject, by) =>
        by !== undefined && by !== current ? sql`select 'changed' as role` : ports.openTenant(tenant, subject, by),
    });
    const decision: Decision = {
      get under() {
        return under;
      },
      again: async () => {
        asked.push(current);
        if (current === 3n) throw new Problem('tool_denied', 403, 'Denied', 'It is not allowed any more.');
        under = current;
      },
    };
    const context = compared.context({ ...admission('alice', alpha), decision });
    await add(context, 'before');
    current = 2n;
    assert.ok((await words(context)).includes('before'));
    await add(context, 'decided again');
    assert.deepEqual(asked, [2n]);
    current = 3n;
    await refused(add(context, 'never'), 'tool_denied');
    await refused(words(context), 'tool_denied');
    assert.ok(!(await words(as('alice', alpha))).includes('never'));
    const restless = compared.context({
      ...admission('alice', alpha),
      decision: { under: -1n, again: async () => void (current += 1n) },
    });
    await refused(add(restless, 'never'), 'conflict');
  });
});
