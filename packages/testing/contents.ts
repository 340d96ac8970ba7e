import { statement, type SqlPool } from '@steward/sql';

const contents = statement(
  `select concat_ws(' ', oid::regprocedure, proowner::regrole, proacl, case prokind when 'a' then '' else pg_get_functiondef(oid) end) as said
         from pg_proc where oid >= 16384
       union all select concat_ws(' ', oid::regclass, relowner::regrole, relacl, relrowsecurity, relforcerowsecurity,
           case relkind when 'v' then pg_get_viewdef(oid) when 'i' then pg_get_indexdef(oid) end)
         from pg_class where oid >= 16384 and relnamespace <> 'pg_toast'::regnamespace
       union all select concat_ws(' ', attrelid::regclass, attname, attnum, atttypid::regtype, attnotnull, attacl)
         from pg_attribute where attrelid >= 16384 and attrelid::regclass::text !~ '^pg_toast' and attnum > 0
       union all select concat_ws(' ', adrelid::regclass, adnum, pg_get_expr(adbin, adrelid)) from pg_attrdef
       union all select concat_ws(' ', oid::regtype, typowner::regrole, typacl)
         from pg_type where oid >= 16384 and typnamespace <> 'pg_toast'::regnamespace
       union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint where oid >= 16384
       union all select concat_ws(' ', tgenabled, pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
       union all select pg_policies::text from pg_policies
       union all select concat_ws(' ', nspname, nspowner::regrole, nspacl) from pg_namespace where nspname !~ '^pg_(toast_)?temp_'
       union all select concat_ws(' ', refobjid::regrole, count(*), deptype, classid::regclass) from pg_shdepend
         where dbid = (select oid from pg_database where datname = current_database()) and refclassid = 'pg_authid'::regclass
         group by refobjid, deptype, classid`,
  [],
);

/** What is in a database of ours and who may do what with it, in the words of PostgreSQL. @param admin a superuser's */
export async function contentsOf(admin: SqlPool): Promise<string[]> {
  return (await admin.query(contents)).map(({ said }) => String(said));
}
