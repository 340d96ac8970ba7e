import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate, platformMigrations, quote, type MigrationSource } from '@steward/sql';
import { copyRoles } from './copy-roles.ts';

export interface TestDatabase extends AsyncDisposable {
  readonly name: string;
  /** Superuser of this database, for attacks and for looking behind row-level security. */
  readonly adminUrl: string;
  readonly ownerUrl: string;
  readonly appUrl: string;
}

/** Set by the suite's global setup; a single file run by hand starts a cluster of its own. */
export const clusterVariable = 'STEWARD_TEST_CLUSTER';

/** Set where the cluster is gone after the run, so that databases to copy from may stay in it. */
export const templatesVariable = 'STEWARD_TEST_TEMPLATES';

let own: Promise<string> | undefined;

async function clusterUrl(): Promise<string> {
  const given = process.env[clusterVariable];
  if (given !== undefined && given !== '') return given;
  own ??= startOwnCluster();
  return own;
}

async function startOwnCluster(): Promise<string> {
  const { startTestCluster } = await import('./cluster.ts');
  const cluster = await startTestCluster();
  // Not node:test's `after`: called within a suite's `before`, it runs as soon as that hook ends.
  process.once('beforeExit', () => void cluster.stop());
  return cluster.adminUrl;
}

/** A database of its own with owner and application login, migrated, with what every component stands on; dropped when disposed. */
export async function createTestDatabase(components: readonly MigrationSource[]): Promise<TestDatabase> {
  const complete =
    components.length === 0 || components.some(({ component }) => component === platformMigrations.component);
  const sources = complete ? components : [platformMigrations, ...components];
  const copied = sources.length > 0 && (process.env[templatesVariable] ?? '') !== '';
  const admin = await clusterUrl();
  return withAdmin(admin, async (client) => (copied ? copy : create)(admin, client, sources));
}

async function create(
  admin: string,
  client: pg.Client,
  sources: readonly MigrationSource[],
  template?: string,
): Promise<TestDatabase> {
  const name = `t${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  await client.query(`create role ${name}_owner login createrole password '${password}'`);
  await client.query(`create role ${name}_login login password '${password}'`);
  await client.query(
    `create database ${name} owner ${name}_owner template ${template === undefined ? 'template1' : kept(template)} strategy file_copy`,
  );
  const database = named(admin, name, password, async (other) => dropWithRoles(other, name));
  if (template !== undefined) await withAdmin(database.adminUrl, async (inside) => copyRoles(inside, template, name));
  await migrate({ ownerUrl: database.ownerUrl, appLogins: [`${name}_login`], sources });
  return database;
}

function named(
  admin: string,
  name: string,
  password: string,
  dispose: (client: pg.Client) => Promise<void>,
): TestDatabase {
  const url = (user: string): string => {
    const target = new URL(admin);
    target.username = user;
    target.password = password;
    target.pathname = `/${name}`;
    return target.href;
  };
  return {
    name,
    adminUrl: Object.assign(new URL(admin), { pathname: `/${name}` }).href,
    ownerUrl: url(`${name}_owner`),
    appUrl: url(`${name}_login`),
    [Symbol.asyncDispose]: async () => withAdmin(admin, dispose),
  };
}

/** What a name is made anew of, with its roles, as it was before its first use. */
const kept = (name: string): string => `${name}_kept`;

/**
 * A copy of what was migrated before. Its name and its roles are those of an earlier one that is gone, if its roles are as they
 * were: to migrate takes ten times as long as to copy, and to make roles and give a copy to them twice as long.
 */
async function copy(admin: string, client: pg.Client, sources: readonly MigrationSource[]): Promise<TestDatabase> {
  const key = createHash('sha256')
    .update(JSON.stringify(sources.map(({ component, folder }) => [component, folder.href])))
    .digest('hex');
  const name = (await takeSpare(client, key)) ?? (await keepAnother(admin, client, sources, key));
  const password = randomBytes(12).toString('hex');
  // Whoever was left behind in the earlier one does not come in.
  for (const role of ['owner', 'login']) await client.query(`alter role ${name}_${role} password '${password}'`);
  await client.query(`create database ${name} owner ${name}_owner template ${kept(name)} strategy file_copy`);
  const before = await rolesOf(client, name);
  return named(admin, name, password, async (other) => {
    await other.query(`drop database if exists ${name} with (force)`);
    if ((await rolesOf(other, name)) === before)
      await other.query('update public.kept set spare = true where name = $1', [name]);
    else {
      await other.query('delete from public.kept where name = $1', [name]);
      await dropWithRoles(other, name);
    }
  });
}

async function takeSpare(client: pg.Client, key: string): Promise<string | undefined> {
  await client.query(`
    begin; select pg_advisory_xact_lock(hashtextextended('kept', 0));
    create table if not exists public.kept (name text primary key, key text not null, spare boolean not null); commit`);
  const { rows } = await client.query<{ name: string }>(
    `update public.kept set spare = false where name = (
       select name from public.kept where key = $1 and spare order by name limit 1 for update skip locked) returning name`,
    [key],
  );
  return rows[0]?.name;
}

/** One more, of which nobody else makes databases. */
async function keepAnother(
  admin: string,
  client: pg.Client,
  sources: readonly MigrationSource[],
  key: string,
): Promise<string> {
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [key]);
  try {
    const { rows } = await client.query<{ name: string }>('select name from public.kept where key = $1 limit 1', [key]);
    const { name } = await create(admin, client, sources, rows[0]?.name);
    await client.query(`alter database ${name} rename to ${kept(name)}`);
    await client.query('insert into public.kept (name, key, spare) values ($1, $2, false)', [name, key]);
    return name;
  } finally {
    await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [key]);
  }
}

/** All that roles are and have that bear the name of a database, but for their passwords. */
async function rolesOf(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query<{ roles: string }>(
    `with own as (select * from pg_authid where rolname like $1)
     select concat_ws(' ',
       (select string_agg((to_jsonb(o) - 'rolpassword')::text, ' ' order by o.oid) from own o),
       (select string_agg(to_jsonb(s)::text, ' ' order by s.setrole, s.setdatabase)
        from pg_db_role_setting s where s.setrole in (select oid from own)),
       (select string_agg(to_jsonb(m)::text, ' ' order by m.roleid, m.member, m.grantor) from pg_auth_members m
        where m.roleid in (select oid from own) or m.member in (select oid from own))) as roles`,
    [`${name}\\_%`],
  );
  return rows[0]?.roles ?? '';
}

async function dropWithRoles(client: pg.Client, name: string): Promise<void> {
  for (const database of [name, kept(name)]) await client.query(`drop database if exists ${database} with (force)`);
  const { rows } = await client.query<{ role: string }>(
    `select rolname as role from pg_roles where rolname like $1 order by rolname`,
    [`${name}\\_%`],
  );
  for (const { role } of rows.filter((row) => !row.role.endsWith('_owner')))
    await client.query(`drop role if exists ${quote(role)}`);
  await client.query(`drop role if exists ${name}_owner`);
}

async function withAdmin<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
