import pg from 'pg';
import { ConfigError } from '@steward/kernel';
import { connectTo } from '../connection/connect.ts';

/** Role names carry a database's name, since roles belong to a whole cluster: that of the database at its first migration. */
export const appRole = (named: string): string => `${named}_app`;
export const jobRole = (named: string, job: string): string => `${named}_job_${job}`;

export const quote = (identifier: string): string => pg.escapeIdentifier(identifier);

/** What lets a login act as a role. Since 16 whoever makes a role is a member of it without that. */
const acts = `case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end`;

export interface RoleNames {
  readonly database: string;
  /** The name that the roles of this database carry; undefined where it knows none. */
  readonly named: string | undefined;
}

/**
 * The database may have been renamed, or restored under another name, since its first migration: which roles are its own is told by who
 * may read the history. Reads the catalogue alone, which every login may.
 */
export async function roleNames(client: pg.Client): Promise<RoleNames> {
  const { rows } = await client.query<{ database: string; named: string | null }>(`
    select current_database() as database,
      (select left(r.rolname, -length('_app')) from pg_class c join pg_namespace n on n.oid = c.relnamespace
         cross join lateral aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
       where n.nspname = 'platform' and c.relname = 'migration' and a.privilege_type = 'SELECT' and r.rolname like '%\\_app'
       order by r.rolname = current_database() || '_app' desc, r.rolname limit 1) as named`);
  return { database: rows[0]?.database ?? '', named: rows[0]?.named ?? undefined };
}

/**
 * The role of a job, which this login acts as with `set role`.
 * @throws ConfigError where it may not
 */
export async function jobRoleOf(client: pg.Client, job: string): Promise<string> {
  const { database, named = database } = await roleNames(client);
  const role = jobRole(named, job);
  const { rows } = await client.query<{ login: string; may: boolean }>(
    `select current_user as login, exists (select from pg_roles where rolname = $1 and pg_has_role(oid, ${acts})) as may`,
    [role],
  );
  if (rows[0]?.may === true) return role;
  throw new ConfigError(
    `${rows[0]?.login} is no member of the role ${role}: run \`steward migrate\` with DATABASE_OWNER_URL, which mends that or says why it cannot.`,
  );
}

export async function ensureRole(client: pg.Client, role: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  if (rowCount === 0) await client.query(`create role ${quote(role)} nologin`).catch(alreadyThere);
}

function alreadyThere(error: unknown): void {
  if (!(error instanceof pg.DatabaseError) || (error.code !== '42710' && error.code !== '23505')) throw error;
}

/**
 * Makes logins members of roles of this database, where they are not yet.
 * @param members by role
 * @throws ConfigError where that would let a login into another database too, and where the owner may not grant it
 */
export async function ensureMembers(
  client: pg.Client,
  { database, named }: { readonly database: string; readonly named: string },
  members: readonly (readonly [role: string, login: string])[],
): Promise<void> {
  const { rows: lacking } = await client.query<{ role: string; login: string }>(
    `select w.role, w.login from json_to_recordset($1) as w (role text, login text)
     where not exists (select from pg_roles r, pg_roles l where r.rolname = w.role and l.rolname = w.login
       and pg_has_role(l.oid, r.oid, case when w.role = $2 then 'USAGE' else ${acts} end))`,
    [JSON.stringify(members.map(([role, login]) => ({ role, login }))), appRole(named)],
  );
  if (lacking.length === 0) return;
  const logins = [...new Set(lacking.map(({ login }) => login))].join(' and ');
  const statements = lacking.map(({ role, login }) => `grant ${quote(role)} to ${quote(login)};`);
  const others = named === database ? 0 : (await client.query(othersDatabase, [named])).rowCount;
  if (others !== 0)
    throw new ConfigError(
      `The roles of this database are those of ${named}, which is on this server too, so ${logins} would get into both: ` +
        `use the logins of ${named} or another server, or run as a superuser, if that is meant: ${statements.join(' ')}`,
    );
  try {
    for (const statement of statements) await client.query(statement);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '42501') throw error;
    throw new ConfigError(
      `The owner may not grant roles of this database, which somebody else made: run as a superuser: ${statements.join(' ')}`,
      {
        cause: error,
      },
    );
  }
}

const othersDatabase = 'select from pg_database where datname = $1';

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
