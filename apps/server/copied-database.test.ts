import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openPool, statement } from '@steward/sql';
import { createTestDatabase, templatesVariable, type TestDatabase } from '@steward/testing';
import { migrationSources } from './migrations.ts';

async function make(templates: 'yes' | ''): Promise<TestDatabase> {
  const outside = process.env[templatesVariable];
  process.env[templatesVariable] = templates;
  const making = createTestDatabase(migrationSources);
  process.env[templatesVariable] = outside ?? '';
  return making;
}

/** What is in a database of ours and who may do what with it, in the words of PostgreSQL and without the database's name. */
async function contents(db: TestDatabase): Promise<string[]> {
  await using admin = openPool({ url: db.adminUrl, size: 1 });
  const rows = await admin.query(
    statement(
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
         group by refobjid, deptype, classid
       union all select concat_ws(' ', roleid::regrole, member::regrole, grantor::regrole, admin_option, inherit_option, set_option)
         from pg_auth_members where starts_with(roleid::regrole::text, current_database() || '_')`,
      [],
    ),
  );
  return rows.map(({ said }) => String(said).replaceAll(db.name, 'name')).toSorted();
}

it('a database that was copied from a template is as one that was migrated, down to every role that it names', async () => {
  await using migrated = await make('');
  const expected = await contents(migrated);
  assert.match(expected.join('\n'), /name_job_audit_appender/);
  // One of them at least has been given roles that the template did not have.
  await using one = await make('yes');
  await using other = await make('yes');
  assert.deepEqual(await contents(one), expected);
  assert.deepEqual(await contents(other), expected);
});
