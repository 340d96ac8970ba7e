-- The active versions of forms of several tenants, for a transaction that they share; `storefront/published.ts` reads one as
-- this does many. A form that is not served is absent.
create or replace function studio.active_versions(a_tenants uuid[], a_sites uuid[], a_forms uuid[])
returns table (tenant_id uuid, site_id uuid, form_id uuid, version int, document text, definition text, default_country text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
-- A join planned while a table was empty stays planned so: only index paths stay right from 0 rows to any number.
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    select f.tenant_id, f.site_id, f.form_id, v.version, v.document, v.definition, s.default_country
    from unnest(a_tenants, a_sites, a_forms) as wanted (tenant_id, site_id, form_id)
    join studio.form f on f.tenant_id = wanted.tenant_id and f.form_id = wanted.form_id and f.site_id = wanted.site_id
      and f.archived_at is null
    join studio.form_version v on v.tenant_id = f.tenant_id and v.form_id = f.form_id and v.version = f.active_version
    join studio.site s on s.tenant_id = f.tenant_id and s.site_id = f.site_id and s.status = 'active';
end
$$;
alter function studio.active_versions(uuid[], uuid[], uuid[]) owner to {{job:studio_directory}};
revoke execute on function studio.active_versions(uuid[], uuid[], uuid[]) from public;
grant execute on function studio.active_versions(uuid[], uuid[], uuid[]) to {{app}};
