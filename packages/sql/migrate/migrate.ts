import type pg from 'pg';
import { ConfigError } from '@steward/kernel';
import { connectTo } from '../connection/connect.ts';
import { apply } from './apply.ts';
import { cannotUpgrade, pendingOf } from './pending.ts';
import { appRole, ensureRole, quote } from './roles.ts';
import { type MigrationSource, readSchema } from './sources.ts';

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
 * Brings the database to the present schema; any number of processes may call this at once. One that a newer version has brought up is
 * left as it is.
 * @returns how many migrations and files of functions were applied
 * @throws ConfigError when the history in the database differs from the files
 */
export async function migrate(options: MigrateOptions): Promise<number> {
  const schema = readSchema(options.sources);
  const client = await connectTo(options.ownerUrl, { applicationName: 'steward-migrate' });
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    const database = await prepareLedger(client, options.appLogins);
    const pending = await pendingOf(client, schema);
    const files = [...pending.migrations, ...pending.functions];
    if (files.length + pending.gone.length > 0) await apply(client, database, pending, schema.release);
    for (const { component, name } of files) options.log?.(`migrated ${component}/${name}`);
    return files.length;
  } finally {
    await client.end();
  }
}

/** @throws ConfigError unless the database is at the present schema, or at a newer one */
export async function requireCurrent(appUrl: string, sources: readonly MigrationSource[]): Promise<void> {
  const schema = readSchema(sources);
  const client = await connectTo(appUrl, { applicationName: 'steward-migrate', statementMilliseconds: 15_000 });
  try {
    const { ready } = await ledgerOf(client);
    const { migrations, functions } = ready ? await pendingOf(client, schema) : schema;
    if (migrations.length + functions.length > 0) {
      throw new ConfigError(
        `The database lacks ${migrations.length} migrations and ${functions.length} files of functions: set DATABASE_OWNER_URL, or run \`steward migrate\` with it.`,
      );
    }
  } finally {
    await client.end();
  }
}

/**
 * Whether the tables of applied migrations and functions exist.
 * @throws ConfigError where only the table of versions before 0.1.0 exists
 */
async function ledgerOf(client: pg.Client): Promise<{ database: string; ready: boolean }> {
  const { rows } = await client.query<{ database: string; migration: boolean; function: boolean }>(
    `select current_database() as database, to_regclass('platform.migration') is not null as migration,
       to_regclass('platform.function') is not null as function`,
  );
  const [found = { database: '', migration: false, function: false }] = rows;
  if (found.migration && !found.function) throw cannotUpgrade('before 0.1.0');
  return { database: found.database, ready: found.function };
}

async function prepareLedger(client: pg.Client, logins: readonly string[]): Promise<string> {
  const { database, ready } = await ledgerOf(client);
  const app = quote(appRole(database));
  await ensureRole(client, appRole(database));
  for (const login of logins) await client.query(`grant ${app} to ${quote(login)}`);
  if (ready) return database;
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
  return database;
}
