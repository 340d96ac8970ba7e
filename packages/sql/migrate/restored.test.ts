import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { ConfigError } from '@steward/kernel';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import pg from 'pg';
import { jobRole, jobRoleOf, makeRoles, migrate, requireCurrent } from '../index.ts';

describe('a database whose roles are not as its migrations left them', () => {
  let folder: string;
  let db: TestDatabase;
  let clerk: string;
  const source = () => [{ component: 'shop', folder: pathToFileURL(`${folder}/migrations/`) }];
  const run = async (ownerUrl = db.ownerUrl, ...appLogins: string[]): Promise<number> =>
    migrate({ ownerUrl, appLogins, sources: source() });
  const current = async (): Promise<void> => requireCurrent(db.appUrl, source());
  const refuses = async (work: Promise<unknown>, about: RegExp): Promise<void> => {
    await assert.rejects(work, (error: unknown) => {
      assert.ok(error instanceof ConfigError, String(error));
      assert.match(error.message, about);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
  };

  async function within<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  }
  const admin = async (...statements: string[]): Promise<void> =>
    within(db.adminUrl, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  /** Whom a member of the job counts as, and whose the function is. */
  const works = async (): Promise<void> =>
    within(db.ownerUrl, async (client) => {
      await client.query(`set role ${await jobRoleOf(client, 'clerk')}`);
      const { rows } = await client.query(
        `select shop.count_all() as count, proowner::regrole::text as owner from pg_proc where proname = 'count_all'`,
      );
      assert.deepEqual(rows, [{ count: 0, owner: clerk }]);
    });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-restored-'));
    await mkdir(join(folder, 'migrations'));
    await mkdir(join(folder, 'functions'));
    await writeFile(
      join(folder, 'migrations', '001-tables.sql'),
      'create schema shop; create table shop.a (x int); grant usage on schema shop to {{app}}, {{job:clerk}}; grant select on shop.a to {{job:clerk}};',
    );
    await writeFile(
      join(folder, 'functions', 'count.sql'),
      `create or replace function shop.count_all() returns int
       language sql security definer set search_path = shop, pg_temp as $$ select count(*)::int from shop.a $$;
       alter function shop.count_all() owner to {{job:clerk}};`,
    );
  });
  beforeEach(async () => {
    db = await createTestDatabase([]);
    clerk = jobRole(db.name, 'clerk');
    await run();
    await works();
  });
  afterEach(async () => db[Symbol.asyncDispose]());
  after(async () => rm(folder, { recursive: true }));

  test('is refused where a role is one that it does not know, by migrating and by a start', async () => {
    // As after a restore on a server without it, where each grant and policy of its failed.
    await admin(`alter role ${clerk} rename to ${db.name}_lost`);
    const without = new RegExp(
      String.raw`^This database was restored without its roles \(${clerk}\), .* make an empty database, run \`steward migrate --roles\` .* restore into it again\.$`,
    );
    await refuses(run(), without);
    await refuses(current(), without);
  });

  test('is refused where it knows none, by migrating and by a start that may not even see its history', async () => {
    await admin(
      `revoke all on platform.migration, platform.function from ${db.name}_app`,
      `revoke all on schema platform from ${db.name}_app`,
    );
    await refuses(run(), /^This database was restored without its roles, so it lacks /);
    await refuses(current(), /^This database was restored without its roles, so it lacks /);
  });

  test('gets the members that it needs by migrating, and says until then whom it lacks', async () => {
    // Whoever makes a role may grant it still.
    await admin(
      `revoke ${db.name}_app from ${db.name}_login granted by ${db.name}_owner`,
      `revoke ${clerk} from ${db.name}_owner granted by ${db.name}_owner`,
    );
    await refuses(
      current(),
      new RegExp(`logs in as ${db.name}_login, which is no member of ${db.name}_app: .*migrate`),
    );
    await refuses(works(), new RegExp(`^${db.name}_owner is no member of the role ${clerk}: run .steward migrate`));
    assert.equal(await run(db.ownerUrl, `${db.name}_login`), 0);
    await current();
    await works();
  });

  test('names the statements where the owner may not grant what somebody else made', async () => {
    await within(db.adminUrl, async (client) => {
      const { rows } = await client.query<{ version: number }>(
        `select current_setting('server_version_num')::int as version`,
      );
      assert.ok((rows[0]?.version ?? 0) >= 160000, 'before, whoever may make roles may grant each');
    });
    await admin(
      `revoke ${clerk} from ${db.name}_owner cascade`,
      `alter role ${clerk} rename to ${db.name}_lost`,
      `create role ${clerk}`,
    );
    await refuses(run(), new RegExp(`run as a superuser: grant "${clerk}" to "${db.name}_owner";$`));
  });

  test('has functions that run as somebody else applied again', async () => {
    await admin(`alter function shop.count_all() owner to ${db.name}_owner`);
    await refuses(current(), /lacks 0 migrations and 1 files of functions/);
    assert.equal(await run(), 1);
    await works();
    await current();
  });

  test('is refused where its tables are somebody else’s', async () => {
    await admin('alter table platform.migration owner to current_user');
    await refuses(
      run(),
      new RegExp(`belong to [a-z]+, and DATABASE_OWNER_URL logs in as ${db.name}_owner: .*without --no-owner`),
    );
  });

  test('keeps its roles under another name, and lets nobody into two databases of one server', async () => {
    const [name, other] = [db.name, `${db.name}_other`];
    const elsewhere = (url: string): string => Object.assign(new URL(url), { pathname: `/${other}` }).href;
    const server = Object.assign(new URL(db.adminUrl), { pathname: '/postgres' }).href;
    const rename = async (from: string, to: string): Promise<unknown> =>
      within(server, async (client) => client.query(`alter database ${from} rename to ${to}`));
    await rename(name, other);
    const renamed = {
      ...db,
      adminUrl: elsewhere(db.adminUrl),
      ownerUrl: elsewhere(db.ownerUrl),
      appUrl: elsewhere(db.appUrl),
    };
    const original = db;
    try {
      db = renamed;
      assert.equal(await run(), 0);
      await current();
      await works();
      await admin(`create role ${name}_guest login`);
      await within(server, async (client) => client.query(`create database ${name}`));
      await refuses(
        run(db.ownerUrl, `${name}_guest`),
        new RegExp(
          `those of ${name}, which is on this server too, so ${name}_guest would get into both: .*grant "${name}_app" to "${name}_guest";$`,
        ),
      );
      await within(server, async (client) => client.query(`drop database ${name}`));
      assert.equal(await run(db.ownerUrl, `${name}_guest`), 0);
    } finally {
      db = original;
      await rename(other, name);
    }
  });

  test('is restored into an empty one, for which its roles are made first', async () => {
    await using empty = await createTestDatabase([]);
    const options = { ownerUrl: empty.ownerUrl, appLogins: [`${empty.name}_login`], sources: source() };
    await refuses(makeRoles({ ...options, named: `${empty.name}_x` }), /has its tables already/);
    await within(empty.adminUrl, async (client) => client.query('drop schema platform cascade'));
    assert.equal(await makeRoles({ ...options, named: `${empty.name}_x` }), 2);
    assert.equal(await makeRoles({ ...options, named: `${empty.name}_x` }), 2);
    await within(empty.ownerUrl, async (client) => {
      const { rows } = await client.query(
        `select pg_has_role('${empty.name}_login', '${empty.name}_x_app', 'USAGE') as app, to_regnamespace('platform') as made`,
      );
      assert.deepEqual(rows, [{ app: true, made: null }]);
      await client.query(`set role ${empty.name}_x_job_clerk`);
    });
  });
});
