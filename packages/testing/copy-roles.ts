import type pg from 'pg';

/**
 * Gives a copied database roles of its own in place of its template's: roles belong to the whole cluster and carry the
 * database's name, and copying keeps the template's as owners, in policies, privileges and the conditions of triggers.
 * @param admin a superuser in the copy, in which nobody else is yet
 */
export async function copyRoles(admin: pg.Client, template: string, copy: string): Promise<void> {
  const { rows: roles } = await admin.query<{ role: string }>(
    `select $2 || substr(rolname, length($1) + 1) as role from pg_roles where rolname like $1 || '\\_app' or rolname like $1 || '\\_job\\_%'`,
    [template, copy],
  );
  // By the owner, as migrating does: who creates a role is who may grant it.
  await admin.query(`set session authorization ${copy}_owner`);
  for (const { role } of roles) {
    await admin.query(`create role ${role} nologin`);
    if (role !== `${copy}_app`) await admin.query(`grant ${role} to current_user`);
  }
  // There is no statement that moves privileges from one role to another, hence the catalogue itself.
  await admin.query(`
    reset session authorization;
    set allow_system_table_mods = on;
    do $$
    declare
      named record;
    begin
      for named in
        select c.oid::regclass as catalogue, quote_ident(a.attname) as field, a.atttypid::regtype as kept,
          case a.atttypid when 'oid'::regtype then 'regrole' when 'oid[]'::regtype then 'regrole[]' else 'aclitem[]' end as shown
        from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = 'pg_catalog'::regnamespace and c.relkind = 'r' and not c.relisshared
          and (a.atttypid = 'aclitem[]'::regtype or (c.oid, a.attname) in (
            select fktable, fkcols[1] from pg_get_catalog_foreign_keys() where pktable = 'pg_authid'::regclass))
      loop
        execute format('update %1$s set %2$s = replace(%2$s::%4$s::text, %5$L, %6$L)::%4$s::%3$s where strpos(%2$s::%4$s::text, %5$L) > 0',
          named.catalogue, named.field, named.kept, named.shown, '${template}_', '${copy}_');
      end loop;
      update pg_shdepend set refobjid = replace(refobjid::regrole::text, '${template}_', '${copy}_')::regrole
      where dbid = (select oid from pg_database where datname = current_database()) and refclassid = 'pg_authid'::regclass;
      for named in
        select tgname as trigger, tgrelid::regclass as relation, tgenabled as enabled,
          replace(pg_get_triggerdef(oid), '${template}_', '${copy}_') as definition
        from pg_trigger where tgqual is not null and strpos(pg_get_triggerdef(oid), '${template}_') > 0
      loop
        execute regexp_replace(named.definition, '^CREATE', 'CREATE OR REPLACE');
        if named.enabled = 'A' then
          execute format('alter table %s enable always trigger %I', named.relation, named.trigger);
        end if;
      end loop;
    end $$`);
}
