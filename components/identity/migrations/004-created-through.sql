-- Through which client somebody was made a member, so that all it appointed can be found once it is shut out. Whoever is suspended has no
-- standing until a person restores it.
alter table identity.member add column created_through text, add column suspended_at timestamptz;
create index member_created_through on identity.member (tenant_id, created_through) where created_through is not null;

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

create or replace function identity.tenants_of(type text, id text) returns table (tenant_id uuid, role text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select m.tenant_id, m.role from identity.member m
  where m.principal_type = type and m.principal_id = id and m.suspended_at is null order by m.tenant_id
$$;

create or replace function identity.standings_of(tenants uuid[], types text[], ids text[]) returns text[]
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
begin
  return (
    select array_agg(
      case when asked.type = 'service' and starts_with(asked.id, 'service:')
        then (select 'platform' where exists (select from identity.member m where m.tenant_id = asked.tenant))
        else (select m.role from identity.member m
              where m.tenant_id = asked.tenant and m.principal_type = asked.type and m.principal_id = asked.id
                and m.suspended_at is null)
      end)
    from unnest(tenants, types, ids) as asked (tenant, type, id));
end $$;

alter function identity.enter(uuid, text, text) owner to {{job:directory}};
alter function identity.tenants_of(text, text) owner to {{job:directory}};
alter function identity.standings_of(uuid[], text[], text[]) owner to {{job:directory}};
