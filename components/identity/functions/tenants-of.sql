-- Where the subject has a standing, and which.
create or replace function identity.tenants_of(type text, id text) returns table (tenant_id uuid, role text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select m.tenant_id, m.role from identity.member m
  where m.principal_type = type and m.principal_id = id and m.suspended_at is null order by m.tenant_id
$$;
alter function identity.tenants_of(text, text) owner to {{job:directory}};
revoke execute on function identity.tenants_of(text, text) from public;
grant execute on function identity.tenants_of(text, text) to {{app}};
