import type pg from 'pg';
import { ConfigError } from '@steward/kernel';
import { connectTo } from '../connection/connect.ts';
import { loginOf } from '../connection/hosts.ts';
import { apply } from './apply.ts';
import { cannotUpgrade, pendingOf } from './pending.ts';
import { misowned, restoredWithoutRoles } from './restored.ts';
import { appRole, ensureMembers, ensureRole, jobRole, quote, roleNames, type RoleNames } from './roles.ts';
import { jobsOf, readSchema, type MigrationSource, type Schema } from './sources.ts';

export interface MigrateOptions {
  /** Login that owns the schema and may create roles. */
  readonly ownerUrl: string;
  /** Login names that become members of the application role. */
  readonly appLogins: readonly string[];
  readonly sources: readonly MigrationSource[];
  readonly log?: (line: string) => void;
}

const lockKey = 0x57_45_57_41;

/**
 * Brings the database to the present schema, and its roles to what it needs of them; any number of processes may call this at once. One
 * that a newer version has brought up is left as it is.
 * @returns how many migrations and files of functions were applied
 * @throws ConfigError when the history in the database differs from the files, and when it was restored without what roles may do
 */
export async function migrate(options: MigrateOptions): Promise<number> {
  const schema = readSchema(options.sources);
  const client = await connectTo(options.ownerUrl, { applicationName: 'steward-migrate' });
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    const ledger = await prepareLedger(client);
    const { named } = ledger;
    await ensureOwner(client);
    const pending = await pendingOf(client, schema);
    // What a newer version no longer has is none of ours to make.
    await ensureRoles(client, ledger, options.appLogins, pending.newer ? [] : jobsOf(filesOf(schema)));
    const again = await misowned(client, named, schema, pending);
    const functions = schema.functions.filter((file) => pending.functions.includes(file) || again.includes(file));
    const files = [...pending.migrations, ...functions];
    if (files.length + pending.gone.length > 0) await apply(client, named, { ...pending, functions }, schema.release);
    for (const { component, name } of files) options.log?.(`migrated ${component}/${name}`);
    return files.length;
  } finally {
    await client.end();
  }
}

/**
 * Makes the roles of a database of that name, and nothing else: a backup has none, and is restored into an empty database after this.
 * @returns how many roles there are
 * @throws ConfigError when the database is not empty
 */
export async function makeRoles({ named, ...options }: MigrateOptions & { readonly named: string }): Promise<number> {
  const jobs = jobsOf(filesOf(readSchema(options.sources)));
  const client = await connectTo(options.ownerUrl, { applicationName: 'steward-migrate' });
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    const { database, ready } = await ledgerOf(client);
    if (ready)
      throw new ConfigError(
        `${database} has its tables already: roles are made before a backup is restored, for an empty database.`,
      );
    await ensureRoles(client, { database, named }, options.appLogins, jobs);
    return jobs.length + 1;
  } finally {
    await client.end();
  }
}

/** @throws ConfigError unless the database is at the present schema, or at a newer one, and the login may use it */
export async function requireCurrent(appUrl: string, sources: readonly MigrationSource[]): Promise<void> {
  const schema = readSchema(sources);
  const client = await connectTo(appUrl, { applicationName: 'steward-migrate', statementMilliseconds: 15_000 });
  try {
    const { ready, named } = await ledgerOf(client);
    if (ready) await requireMember(client, appUrl, named);
    const pending = ready ? await pendingOf(client, schema) : undefined;
    const { migrations, functions } = pending ?? schema;
    const wrong = pending === undefined || named === undefined ? [] : await misowned(client, named, schema, pending);
    if (migrations.length + functions.length + wrong.length > 0) {
      throw new ConfigError(
        `The database lacks ${migrations.length} migrations and ${functions.length + wrong.length} files of functions: set DATABASE_OWNER_URL, or run \`steward migrate\` with it.`,
      );
    }
  } finally {
    await client.end();
  }
}

const filesOf = ({ migrations, functions }: Schema) => [...migrations, ...functions];

/**
 * Whether the tables of applied migrations and functions exist.
 * @throws ConfigError where only the table of versions before 0.1.0 exists
 */
async function ledgerOf(client: pg.Client): Promise<RoleNames & { readonly ready: boolean }> {
  // Of the catalogue: a login that may not use the schema is told something else.
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'platform' and c.relname in ('migration', 'function') and c.relkind = 'r'`,
  );
  const found = new Set(rows.map(({ name }) => name));
  if (found.has('migration') && !found.has('function')) throw cannotUpgrade('before 0.1.0');
  return { ...(await roleNames(client)), ready: found.has('function') };
}

/** @throws ConfigError where the tables were restored without whose they are */
async function prepareLedger(client: pg.Client): Promise<{ database: string; named: string }> {
  const { database, named, ready } = await ledgerOf(client);
  if (ready && named === undefined) throw restoredWithoutRoles([]);
  if (named !== undefined) return { database, named };
  const app = quote(appRole(database));
  await ensureRole(client, appRole(database));
  await client.query(`
    create schema if not exists platform;
    grant usage on schema platform to ${app};
    create table platform.migration (
      component text not null, number int not null, name text not null, checksum text not null,
      applied_at timestamptz not null default clock_timestamp(), primary key (component, number));
    create table platform.function (
      component text not null, name text not null, checksum text not null, release text not null,
      applied_at timestamptz not null default clock_timestamp(), primary key (component, name));
    grant select on platform.migration, platform.function to ${app};`);
  return { database, named: database };
}

/** Roles belong to the whole cluster: they are there whether or not what follows succeeds. */
async function ensureRoles(
  client: pg.Client,
  names: { readonly database: string; readonly named: string },
  logins: readonly string[],
  jobs: readonly string[],
): Promise<void> {
  const app = appRole(names.named);
  const roles = jobs.map((job) => jobRole(names.named, job));
  for (const role of [app, ...roles]) await ensureRole(client, role);
  const { rows } = await client.query<{ owner: string }>('select current_user as owner');
  await ensureMembers(client, names, [
    ...logins.map((login) => [app, login] as const),
    ...roles.map((role) => [role, rows[0]?.owner ?? ''] as const),
  ]);
}

/** @throws ConfigError where the tables are not those of this login, such as after a restore without owners */
async function ensureOwner(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ login: string; owner: string; owns: boolean }>(
    `select current_user as login, r.rolname as owner, pg_has_role(c.relowner, 'USAGE') as owns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_roles r on r.oid = c.relowner
     where n.nspname = 'platform' and c.relname = 'migration'`,
  );
  const [found] = rows;
  if (found === undefined || found.owns) return;
  throw new ConfigError(
    `The tables of this database belong to ${found.owner}, and DATABASE_OWNER_URL logs in as ${found.login}: log in as ${found.owner} there, or restore ` +
      `the backup again, into an empty database and with its owners (without --no-owner), where a login ${found.login} is.`,
  );
}

/** @throws ConfigError where this login is not the application's in this database */
async function requireMember(client: pg.Client, appUrl: string, named: string | undefined): Promise<void> {
  if (named === undefined) throw restoredWithoutRoles([]);
  const { rows } = await client.query<{ member: boolean }>(`select pg_has_role($1, 'USAGE') as member`, [
    appRole(named),
  ]);
  if (rows[0]?.member === true) return;
  throw new ConfigError(
    `DATABASE_URL logs in as ${loginOf(appUrl)}, which is no member of ${appRole(named)}: set DATABASE_OWNER_URL, or run \`steward migrate\` with it.`,
  );
}
