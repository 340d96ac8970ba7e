-- Opens a tenant for this transaction and answers the subject's role there; null, and no tenant, without a standing, which nobody
-- has who is suspended. A tenant exists exactly while it has members, since the last owner cannot leave.
create or replace function identity.enter(tenant uuid, type text, id text) returns text
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  standing text;
begin
  if type = 'service' and starts_with(id, 'service:') then
    select 'platform' into standing where exists (select from identity.member m where m.tenant_id = tenant);
  else
    select m.role into standing from identity.member m
    where m.tenant_id = tenant and m.principal_type = type and m.principal_id = id and m.suspended_at is null;
  end if;
  perform set_config('app.tenant_id', case when standing is null then '' else tenant::text end, true);
  return standing;
end $$;
alter function identity.enter(uuid, text, text) owner to {{job:directory}};
revoke execute on function identity.enter(uuid, text, text) from public;
grant execute on function identity.enter(uuid, text, text) to {{app}};
