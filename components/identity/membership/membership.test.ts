import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId, type Problem } from '@steward/kernel';
import { sql } from '@steward/sql';
import { openTenant } from '../component.ts';
import { anything, createWorld, type Process, type World } from '../fixtures/world.ts';

const user = (id: string) => ({ type: 'user', id }) as const;
const code = (expected: string) => (error: Problem) => error.code === expected;

describe('membership', () => {
  let world: World;
  let process: Process;
  before(async () => {
    world = await createWorld();
    process = await world.process();
  });
  after(async () => world[Symbol.asyncDispose]());

  it('opens a tenant for its members with the role they hold', async () => {
    const tenant = await process.tenant({ alice: 'owner', bob: 'viewer' });
    const setting = sql`select current_setting('app.tenant_id', true) as open`;
    const [[role] = [], [open] = []] = await process.pool.queryAll([openTenant(tenant, user('bob')), setting]);
    assert.deepEqual([role, open], [{ role: 'viewer' }, { open: tenant }]);
  });

  it('opens nothing for a stranger, a service of the same name, another tenant or one that does not exist', async () => {
    const tenant = await process.tenant({ alice: 'owner' });
    const other = await process.tenant({ carol: 'owner' });
    const attempts = [
      openTenant(tenant, user('mallory')),
      openTenant(tenant, { type: 'service', id: 'alice' }),
      openTenant(other, user('alice')),
      openTenant(newId(), user('alice')),
      openTenant(newId(), { type: 'service', id: 'service:jobs' }),
    ];
    for (const attempt of attempts) {
      const [[role] = [], [rows] = []] = await process.pool.queryAll([
        attempt,
        sql`select current_setting('app.tenant_id', true) as open, (select count(*)::int from identity.member) as seen`,
      ]);
      assert.deepEqual([role, rows], [{ role: null }, { open: '', seen: 0 }]);
    }
  });

  it('gives a platform service token its access to every tenant that exists', async () => {
    const tenant = await process.tenant({ alice: 'owner' });
    const [row] = await process.pool.query(openTenant(tenant, { type: 'service', id: 'service:jobs' }));
    assert.deepEqual(row, { role: 'platform' });
  });

  it('answers an id that is none like a tenant that does not exist', () => {
    for (const given of ['', 'x', newId().toUpperCase(), `${newId()}, ${newId()}`]) {
      assert.throws(() => openTenant(given, user('alice')), code('tenant_forbidden'));
    }
  });

  it('knows the addresses of members of the tenant alone', async () => {
    const tenant = await process.tenant({ emma: 'owner', fred: 'viewer' });
    await process.tenant({ greta: 'owner' });
    for (const id of ['emma', 'fred', 'greta']) {
      await process.identity.people.remember(user(id), id, `${id.toUpperCase()}@Example.com`);
    }
    const asked = ['emma@example.com', 'greta@example.com', 'nobody@example.com'];
    const found = await process
      .as(tenant, 'emma')
      .require(anything)
      .write(async (tx) => process.identity.memberships.mailedAmong(tx, asked));
    assert.deepEqual([...found], ['emma@example.com']);
  });

  it('shows the table to the application inside one tenant only, and people by exact id only', async () => {
    await process.tenant({ alice: 'owner' });
    await process.identity.people.remember(user('alice'), 'Alice', 'alice@example.com');
    assert.deepEqual(await process.pool.query(sql`select * from identity.member`), []);
    for (const hidden of [sql`select * from identity.person`, sql`select * from identity.standing_change`]) {
      await assert.rejects(process.pool.query(hidden), /permission denied/);
    }
    const named = await process.identity.people.named(['alice', 'nobody']);
    assert.deepEqual([...named.values()], [{ id: 'alice', displayName: 'Alice', email: 'alice@example.com' }]);
  });

  it('lists members page by page with what they are called', async () => {
    const tenant = await process.tenant({ dora: 'owner', anna: 'viewer', bert: 'admin' });
    await process.identity.people.remember(user('bert'), 'Bert', undefined);
    const scope = process.as(tenant, 'dora').require(anything);
    const first = await process.identity.memberships.list(scope, { limit: 2 });
    assert.deepEqual(
      first.map(({ principal, role, displayName }) => [principal.id, role, displayName]),
      [
        ['anna', 'viewer', undefined],
        ['bert', 'admin', 'Bert'],
      ],
    );
    const rest = await process.identity.memberships.list(scope, { limit: 2, after: first[1]?.principal });
    assert.deepEqual(
      rest.map(({ principal }) => principal.id),
      ['dora'],
    );
    assert.match(rest[0]?.addedAt ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('names every tenant of a subject, and no other', async () => {
    const id = newId();
    const owned = await process.tenant({ [id]: 'owner' });
    const joined = await process.tenant({ other: 'owner', [id]: 'accountant' });
    assert.deepEqual(await process.identity.memberships.tenantsOf(user(id)), [
      { tenant: owned, role: 'owner' },
      { tenant: joined, role: 'accountant' },
    ]);
    assert.deepEqual(await process.identity.memberships.tenantsOf({ type: 'service', id }), []);
  });

  it('keeps one owner: the last can neither leave nor be demoted', async () => {
    const tenant = await process.tenant({ alice: 'owner', bob: 'admin' });
    const scope = process.as(tenant, 'alice').require(anything);
    const { memberships } = process.identity;
    await assert.rejects(
      scope.write(async (tx) => memberships.remove(tx, user('alice'))),
      code('last_owner'),
    );
    await assert.rejects(
      scope.write(async (tx) => memberships.set(tx, user('alice'), 'admin')),
      code('last_owner'),
    );
    await scope.write(async (tx) => memberships.set(tx, user('bob'), 'owner'));
    assert.equal(await scope.write(async (tx) => memberships.remove(tx, user('alice'))), 'owner');
  });

  it('keeps one owner when all of them leave at once', async () => {
    const names = ['o1', 'o2', 'o3', 'o4', 'o5'];
    for (let round = 0; round < 5; round += 1) {
      const tenant = await process.tenant(Object.fromEntries(names.map((name) => [name, 'owner'] as const)));
      const left = await Promise.allSettled(
        names.map(async (name, index) =>
          process
            .as(tenant, name)
            .require(anything)
            .write(async (tx) =>
              index % 2 === 0
                ? process.identity.memberships.remove(tx, user(name))
                : process.identity.memberships.set(tx, user(name), 'viewer'),
            ),
        ),
      );
      const refused = left.filter((one) => one.status === 'rejected');
      assert.deepEqual(
        refused.map((one) => (one.reason as Problem).code),
        ['last_owner'],
      );
    }
  });

  it('lets only owners give or take ownership', async () => {
    const tenant = await process.tenant({ alice: 'owner', carl: 'owner', bob: 'admin' });
    const scope = process.as(tenant, 'bob').require(anything);
    const { memberships } = process.identity;
    await assert.rejects(
      scope.write(async (tx) => memberships.set(tx, user('bob'), 'owner')),
      code('insufficient_role'),
    );
    await assert.rejects(
      scope.write(async (tx) => memberships.remove(tx, user('carl'))),
      code('insufficient_role'),
    );
    assert.equal(await scope.write(async (tx) => memberships.set(tx, user('eve'), 'viewer')), undefined);
  });

  it('refuses members that could be mistaken for the platform', async () => {
    const tenant = await process.tenant({ alice: 'owner' });
    const scope = process.as(tenant, 'alice').require(anything);
    for (const principal of [
      { type: 'service', id: 'service:jobs' },
      { type: 'agent', id: 'a' },
      { type: 'system', id: 's' },
      { type: 'user', id: '' },
    ] as const) {
      await assert.rejects(
        scope.write(async (tx) => process.identity.memberships.set(tx, principal, 'admin')),
        code('invalid_request'),
      );
    }
  });
});
