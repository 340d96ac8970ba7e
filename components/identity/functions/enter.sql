-- Opens a tenant for this transaction and answers the subject's role there; null, and no tenant, without a standing, which nobody
-- has who is suspended. A tenant exists exactly while it has members, since the last owner cannot leave.
-- `decided`: the access version under which it was decided what the subject may do here. Where access has changed since, the
-- answer is `changed`, and no tenant is open: grants, policy, tier and whatever else decides are asked again first. A transaction
-- that entered before a change commits may finish; none enters later by what was decided earlier. Null: only the role counts.
create or replace function identity.enter(tenant uuid, type text, id text, decided bigint) returns text
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  standing text;
  opened text;
begin
  if type = 'service' and starts_with(id, 'service:') then
    select 'platform' into standing where exists (select from identity.member m where m.tenant_id = tenant);
    if standing is not null and decided <> identity.current_access_version(tenant) then
      standing := 'changed';
    end if;
  else
    select case when decided <> coalesce((select v.version from identity.access_version v where v.tenant_id = tenant), 0)
      then 'changed' else m.role end
    into standing from identity.member m
    where m.tenant_id = tenant and m.principal_type = type and m.principal_id = id and m.suspended_at is null;
  end if;
  -- An assignment, which costs less than a statement.
  opened := set_config('app.tenant_id', case when standing is null or standing = 'changed' then '' else tenant::text end, true);
  return standing;
end $$;
alter function identity.enter(uuid, text, text, bigint) owner to {{job:directory}};
revoke execute on function identity.enter(uuid, text, text, bigint) from public;
grant execute on function identity.enter(uuid, text, text, bigint) to {{app}};

-- As the version before calls it.
create or replace function identity.enter(tenant uuid, type text, id text) returns text
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  select identity.enter(tenant, type, id, null)
$$;
alter function identity.enter(uuid, text, text) owner to {{job:directory}};
revoke execute on function identity.enter(uuid, text, text) from public;
grant execute on function identity.enter(uuid, text, text) to {{app}};

-- Read before what decides, so that what was decided is never older than the number says.
create or replace function identity.current_access_version(tenant uuid) returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce((select v.version from identity.access_version v where v.tenant_id = tenant), 0)
$$;
alter function identity.current_access_version(uuid) owner to {{job:directory}};
revoke execute on function identity.current_access_version(uuid) from public;
grant execute on function identity.current_access_version(uuid) to {{app}};

-- With each change of access, in its transaction, whoever writes it: changes of one tenant wait for each other here.
create or replace function identity.raise_access_version() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into identity.access_version as v (tenant_id, version) values (new.tenant_id, 1)
  on conflict (tenant_id) do update set version = v.version + 1;
  return null;
end $$;
alter function identity.raise_access_version() owner to {{job:directory}};
revoke execute on function identity.raise_access_version() from public;
create or replace trigger raises_access_version after insert on identity.standing_change
  for each row execute function identity.raise_access_version();
