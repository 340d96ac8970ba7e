import type pg from 'pg';
import { ConfigError } from '@steward/kernel';
import type { Pending } from './pending.ts';
import { appRole, jobRole } from './roles.ts';
import { handedOverBy, jobsOf, type FunctionFile, type Schema } from './sources.ts';

/** A backup has no roles. What a restore cannot give to a role that is not there is lost: privileges, policies and owners. */
export const restoredWithoutRoles = (roles: readonly string[]): ConfigError =>
  new ConfigError(
    `This database was restored without its roles${roles.length === 0 ? '' : ` (${roles.slice(0, 3).join(', ')}${roles.length > 3 ? `, and ${roles.length - 3} more` : ''})`}, ` +
      'so it lacks privileges, row-level policies and owners that cannot be added later: make an empty database, run `steward migrate --roles` with the name of the ' +
      'database that was backed up, and restore into it again.',
  );

/**
 * Files whose functions run as another than the job that they were handed to, such as after a restore by a login that may not give
 * functions away: applying them again mends that.
 * @throws ConfigError where the database does not know a role of what was applied to it
 */
export async function misowned(
  client: pg.Client,
  named: string,
  schema: Schema,
  pending: Pending,
): Promise<FunctionFile[]> {
  if (pending.newer) return [];
  const awaited = new Set<FunctionFile>([...pending.migrations, ...pending.functions]);
  const applied = (files: readonly FunctionFile[]): FunctionFile[] => files.filter((file) => !awaited.has(file));
  const roles = jobsOf(applied([...schema.migrations, ...schema.functions])).map((job) => jobRole(named, job));
  // Whatever a role owns, may do or is named by in a policy is noted there.
  const { rows: unknown } = await client.query<{ role: string }>(
    `select role from unnest($1::text[]) as role where not exists (
       select from pg_shdepend d join pg_roles r on r.oid = d.refobjid join pg_database b on b.oid = d.dbid
       where d.refclassid = 'pg_authid'::regclass and r.rolname = role and b.datname = current_database()) order by role`,
    [[appRole(named), ...roles]],
  );
  if (unknown.length > 0) throw restoredWithoutRoles(unknown.map(({ role }) => role));
  const functions = applied(schema.functions).flatMap((file) =>
    handedOverBy(file).map(({ job, ...handed }) => ({ ...handed, role: jobRole(named, job), file })),
  );
  const { rows: wrong } = await client.query<{ schema: string; name: string }>(
    `select distinct n.nspname as schema, p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_roles r on r.oid = p.proowner
       join json_to_recordset($1) as f (schema text, name text) on f.schema = n.nspname and f.name = p.proname
     where not exists (select from json_to_recordset($1) as g (schema text, name text, role text)
       where g.schema = n.nspname and g.name = p.proname and g.role = r.rolname)`,
    [JSON.stringify(functions.map(({ schema: within, name, role }) => ({ schema: within, name, role })))],
  );
  const names = new Set(wrong.map((one) => `${one.schema}.${one.name}`));
  return [...new Set(functions.filter((one) => names.has(`${one.schema}.${one.name}`)).map(({ file }) => file))];
}
