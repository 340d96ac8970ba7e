-- The caller says which tenants it is a member of; nothing but their names leaves.
create or replace function portal.names_of(a_tenants uuid[]) returns table (tenant_id uuid, name text)
language sql stable security definer set search_path = portal, pg_temp as $$
  select t.tenant_id, t.name from tenant t where t.tenant_id = any (a_tenants)
$$;
alter function portal.names_of(uuid[]) owner to {{job:portal_directory}};
revoke execute on function portal.names_of(uuid[]) from public;
grant execute on function portal.names_of(uuid[]) to {{app}};
