import pg from 'pg';
import { ConfigError } from '@steward/kernel';
import { connectTo } from '../connection/connect.ts';
import { type Migration, type MigrationSource, readMigrations } from './sources.ts';
import { appRole, jobRole, quote } from './roles.ts';

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
 * Brings the database to the present schema; any number of processes may call this at once.
 * @returns how many migrations were applied
 * @throws ConfigError when the history in the database differs from the files
 */
export async function migrate(options: MigrateOptions): Promise<number> {
  const migrations = await readMigrations(options.sources);
  const client = await connectTo(options.ownerUrl, { applicationName: 'steward-migrate' });
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    const database = await databaseName(client);
    await prepareLedger(client, database, options.appLogins);
    const pending = await pendingOf(client, migrations);
    for (const migration of pending) {
      await apply(client, database, migration);
      options.log?.(`migrated ${migration.component}/${migration.name}`);
    }
    return pending.length;
  } finally {
    await client.end();
  }
}

/** @throws ConfigError unless the database is at exactly the present schema */
export async function requireCurrent(appUrl: string, sources: readonly MigrationSource[]): Promise<void> {
  const migrations = await readMigrations(sources);
  const client = await connectTo(appUrl, { applicationName: 'steward-migrate', statementMilliseconds: 15_000 });
  try {
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('platform.migration') is not null as there`,
    );
    const pending = rows[0]?.there === true ? await pendingOf(client, migrations) : migrations;
    if (pending.length > 0) {
      throw new ConfigError(
        `The database lacks ${pending.length} migrations: set DATABASE_OWNER_URL, or run \`steward migrate\` with it.`,
      );
    }
  } finally {
    await client.end();
  }
}

async function databaseName(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  return rows[0]?.name ?? '';
}

async function prepareLedger(client: pg.Client, database: string, logins: readonly string[]): Promise<void> {
  const app = quote(appRole(database));
  await ensureRole(client, appRole(database));
  for (const login of logins) await client.query(`grant ${app} to ${quote(login)}`);
  await client.query(`
    create schema if not exists platform;
    grant usage on schema platform to ${app};
    create table if not exists platform.migration (
      component text not null, number int not null, name text not null, checksum text not null,
      applied_at timestamptz not null default clock_timestamp(), primary key (component, number));
    grant select on platform.migration to ${app};`);
}

async function ensureRole(client: pg.Client, role: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  if (rowCount === 0) await client.query(`create role ${quote(role)} nologin`).catch(alreadyThere);
}

function alreadyThere(error: unknown): void {
  if (!(error instanceof pg.DatabaseError) || (error.code !== '42710' && error.code !== '23505')) throw error;
}

async function pendingOf(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ component: string; number: number; checksum: string }>(
    'select component, number, checksum from platform.migration',
  );
  const applied = new Map(rows.map((row) => [`${row.component}/${row.number}`, row.checksum]));
  const pending: Migration[] = [];
  for (const migration of migrations) {
    const key = `${migration.component}/${migration.number}`;
    const checksum = applied.get(key);
    applied.delete(key);
    if (checksum === undefined) pending.push(migration);
    else if (checksum !== migration.checksum)
      throw historyDiffers(`${migration.component}/${migration.name} was changed after it was applied`);
    else if (pending.some((one) => one.component === migration.component))
      throw historyDiffers(`${key} was applied before its predecessor`);
  }
  const unknown = [...applied.keys()];
  if (unknown.length > 0) throw historyDiffers(`it holds ${unknown.join(', ')}, which this version does not know`);
  return pending;
}

const historyDiffers = (how: string): ConfigError =>
  new ConfigError(
    `The database's migration history differs from this version's: ${how}. Use the version that made it, or a restored backup.`,
  );

const placeholder = /\{\{(app|job:([a-z_]+))\}\}/g;

/** `{{app}}` is the application role; `{{job:sealer}}` a NOLOGIN role for one kind of cross-tenant work. */
async function apply(client: pg.Client, database: string, migration: Migration): Promise<void> {
  const jobs = new Set([...migration.text.matchAll(placeholder)].flatMap(([, , job]) => job ?? []));
  for (const job of jobs) {
    await ensureRole(client, jobRole(database, job));
    await client.query(`grant ${quote(jobRole(database, job))} to current_user`);
  }
  const text = migration.text.replace(placeholder, (_all, _what, job?: string) =>
    quote(job === undefined ? appRole(database) : jobRole(database, job)),
  );
  await client.query('begin');
  try {
    await client.query(text);
    await client.query('insert into platform.migration (component, number, name, checksum) values ($1, $2, $3, $4)', [
      migration.component,
      migration.number,
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw new Error(`migration ${migration.component}/${migration.name} failed: ${String((error as Error).message)}`, {
      cause: error,
    });
  }
}
