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
  const admin = await clusterUrl();
  return withAdmin(admin, async (client) => {
    if (sources.length === 0 || (process.env[templatesVariable] ?? '') === '') return create(admin, client, sources);
    return create(admin, client, sources, await templateOf(admin, client, sources));
  });
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
    `create database ${name} owner ${name}_owner template ${template ?? 'template1'} strategy file_copy`,
  );
  const url = (user: string): string => {
    const target = new URL(admin);
    target.username = user;
    target.password = password;
    target.pathname = `/${name}`;
    return target.href;
  };
  const adminUrl = Object.assign(new URL(admin), { pathname: `/${name}` }).href;
  if (template !== undefined) await withAdmin(adminUrl, async (inside) => copyRoles(inside, template, name));
  await migrate({ ownerUrl: url(`${name}_owner`), appLogins: [`${name}_login`], sources });
  return {
    name,
    adminUrl,
    ownerUrl: url(`${name}_owner`),
    appUrl: url(`${name}_login`),
    [Symbol.asyncDispose]: async () => withAdmin(admin, async (other) => drop(other, name)),
  };
}

/** The database that others with these migrations are copies of: a copy takes a fifth of the time of migrating. */
async function templateOf(admin: string, client: pg.Client, sources: readonly MigrationSource[]): Promise<string> {
  const key = createHash('sha256')
    .update(JSON.stringify(sources.map(({ component, folder }) => [component, folder.href])))
    .digest('hex');
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [key]);
  try {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where shobj_description(oid, 'pg_database') = $1`,
      [key],
    );
    if (rows[0] !== undefined) return rows[0].name;
    const { name } = await create(admin, client, sources);
    await client.query(`comment on database ${name} is '${key}'`);
    return name;
  } finally {
    await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [key]);
  }
}

async function drop(client: pg.Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${name} with (force)`);
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
