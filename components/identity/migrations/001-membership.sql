-- Who may act where. Read before a tenant is known, so two roles see it: the application inside one tenant, and the
-- directory role behind functions that take the exact key.
create schema identity;
grant usage on schema identity to {{app}};
-- CREATE is needed only while the functions below change hands.
grant usage, create on schema identity to {{job:directory}};

create table identity.member (
  tenant_id uuid not null,
  principal_type text not null check (principal_type in ('user', 'service')),
  -- 'service:…' names platform service tokens, which hold no membership.
  principal_id text not null check (length(principal_id) between 1 and 300 and not starts_with(principal_id, 'service:')),
  role text not null check (role in ('owner', 'admin', 'accountant', 'merchandiser', 'developer', 'viewer')),
  added_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, principal_type, principal_id)
);
create index member_by_principal on identity.member (principal_type, principal_id, tenant_id) include (role);

alter table identity.member enable row level security;
alter table identity.member force row level security;
create policy tenant on identity.member to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy directory on identity.member for select to {{job:directory}} using (true);
grant select, insert, update, delete on identity.member to {{app}};
grant select on identity.member to {{job:directory}};

-- Opens a tenant for this transaction and answers the subject's role there; null, and no tenant, without a standing.
-- A tenant exists exactly while it has members, since the last owner cannot leave.
create function identity.enter(tenant uuid, type text, id text) returns text
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  standing text;
begin
  if type = 'service' and starts_with(id, 'service:') then
    select 'platform' into standing where exists (select from identity.member m where m.tenant_id = tenant);
  else
    select m.role into standing from identity.member m
    where m.tenant_id = tenant and m.principal_type = type and m.principal_id = id;
  end if;
  perform set_config('app.tenant_id', case when standing is null then '' else tenant::text end, true);
  return standing;
end $$;

create function identity.tenants_of(type text, id text) returns table (tenant_id uuid, role text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select m.tenant_id, m.role from identity.member m
  where m.principal_type = type and m.principal_id = id order by m.tenant_id
$$;

-- What people are called. Of no tenant: one person may belong to many.
create table identity.person (
  id text primary key check (length(id) between 1 and 300),
  display_name text check (length(display_name) <= 200),
  email text check (length(email) <= 320),
  changed_at timestamptz not null default clock_timestamp()
);
alter table identity.person enable row level security;
alter table identity.person force row level security;
create policy directory on identity.person to {{job:directory}} using (true) with check (true);
grant select, insert, update on identity.person to {{job:directory}};

create function identity.remember_person(id text, display_name text, email text) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  insert into identity.person as p (id, display_name, email) values ($1, $2, $3)
  on conflict (id) do update set display_name = coalesce($2, p.display_name), email = coalesce($3, p.email),
    changed_at = clock_timestamp()
  where (p.display_name, p.email) is distinct from (coalesce($2, p.display_name), coalesce($3, p.email))
$$;

create function identity.people(ids text[]) returns table (id text, display_name text, email text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select p.id, p.display_name, p.email from identity.person p where p.id = any (ids)
$$;

alter function identity.enter(uuid, text, text) owner to {{job:directory}};
alter function identity.tenants_of(text, text) owner to {{job:directory}};
alter function identity.remember_person(text, text, text) owner to {{job:directory}};
alter function identity.people(text[]) owner to {{job:directory}};
revoke create on schema identity from {{job:directory}};
revoke execute on all functions in schema identity from public;
grant execute on all functions in schema identity to {{app}};
