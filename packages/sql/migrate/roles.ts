import pg from 'pg';
import { ConfigError } from '@steward/kernel';
import { connectTo } from '../connection/connect.ts';

/** Role names carry the database's name: roles belong to a whole cluster. */
export const appRole = (database: string): string => `${database}_app`;
export const jobRole = (database: string, job: string): string => `${database}_job_${job}`;

export const quote = (identifier: string): string => pg.escapeIdentifier(identifier);

export async function ensureRole(client: pg.Client, role: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  if (rowCount === 0) await client.query(`create role ${quote(role)} nologin`).catch(alreadyThere);
}

function alreadyThere(error: unknown): void {
  if (!(error instanceof pg.DatabaseError) || (error.code !== '42710' && error.code !== '23505')) throw error;
}

/**
 * Refuses an application login that row-level security would not bind.
 * @throws ConfigError naming what the login is
 */
export async function requireBoundLogin(appUrl: string): Promise<void> {
  const client = await connectTo(appUrl, { applicationName: 'steward', statementMilliseconds: 15_000 });
  try {
    const { rows } = await client.query<{ name: string; superuser: boolean; bypass: boolean; owner: boolean }>(`
      select current_user as name, rolsuper as superuser, rolbypassrls as bypass,
        exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where pg_has_role(current_user, c.relowner, 'member') and c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|information_schema)') as owner
      from pg_roles where rolname = current_user`);
    const login = rows[0];
    const fault =
      login?.superuser === true
        ? 'is a superuser'
        : login?.bypass === true
          ? 'has BYPASSRLS'
          : login?.owner === true
            ? 'owns tables'
            : undefined;
    if (fault !== undefined) {
      throw new ConfigError(
        `DATABASE_URL logs in as ${login?.name}, which ${fault}, so row-level security would not hold: use a plain login there and the owner in DATABASE_OWNER_URL.`,
      );
    }
  } finally {
    await client.end();
  }
}
