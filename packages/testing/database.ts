import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate, quote, type MigrationSource } from '@steward/sql';

export interface TestDatabase extends AsyncDisposable {
  readonly name: string;
  /** Superuser of this database, for attacks and for looking behind row-level security. */
  readonly adminUrl: string;
  readonly ownerUrl: string;
  readonly appUrl: string;
}

/** Set by the suite's global setup; a single file run by hand starts a cluster of its own. */
export const clusterVariable = 'STEWARD_TEST_CLUSTER';

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

/** A database of its own with owner and application login, migrated; dropped when disposed. */
export async function createTestDatabase(sources: readonly MigrationSource[]): Promise<TestDatabase> {
  const admin = await clusterUrl();
  const name = `t${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  await withAdmin(admin, async (client) => {
    await client.query(`create role ${name}_owner login createrole password '${password}'`);
    await client.query(`create role ${name}_login login password '${password}'`);
    await client.query(`create database ${name} owner ${name}_owner strategy file_copy`);
  });
  const url = (user: string): string => {
    const target = new URL(admin);
    target.username = user;
    target.password = password;
    target.pathname = `/${name}`;
    return target.href;
  };
  const adminUrl = Object.assign(new URL(admin), { pathname: `/${name}` }).href;
  await migrate({ ownerUrl: url(`${name}_owner`), appLogins: [`${name}_login`], sources });
  return {
    name,
    adminUrl,
    ownerUrl: url(`${name}_owner`),
    appUrl: url(`${name}_login`),
    [Symbol.asyncDispose]: async () => withAdmin(admin, async (client) => drop(client, name)),
  };
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

async function withAdmin(url: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}
