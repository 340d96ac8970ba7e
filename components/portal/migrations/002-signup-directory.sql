-- Read before any tenant is known, so only through functions that take the exact key (directory tables).
create table portal.signup (
  owner_id text not null,
  idempotency_key text not null,
  fingerprint bytea not null,
  tenant_id uuid not null,
  created_tenant boolean not null,
  document text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (owner_id, idempotency_key)
);
create index signup_by_day on portal.signup (owner_id, created_at) where created_tenant;

-- One tenant per owner and organization name: signing up the same name again reuses it.
create table portal.owned_name (
  owner_id text not null,
  folded_name text not null,
  tenant_id uuid not null,
  primary key (owner_id, folded_name)
);

alter table portal.signup enable row level security;
alter table portal.signup force row level security;
alter table portal.owned_name enable row level security;
alter table portal.owned_name force row level security;
create policy directory on portal.signup to {{job:portal_directory}} using (true) with check (true);
create policy directory on portal.owned_name to {{job:portal_directory}} using (true) with check (true);
create policy names on portal.tenant for select to {{job:portal_directory}} using (true);
grant select, insert, update on portal.signup, portal.owned_name to {{job:portal_directory}};
grant select (tenant_id, name) on portal.tenant to {{job:portal_directory}};
grant usage, create on schema portal to {{job:portal_directory}};

create function portal.find_signup(a_owner text, a_key text)
returns table (fingerprint bytea, document text)
language sql stable security definer set search_path = portal, pg_temp as $$
  select s.fingerprint, s.document from signup s where s.owner_id = a_owner and s.idempotency_key = a_key
$$;

create function portal.find_owned(a_owner text, a_folded text) returns uuid
language sql stable security definer set search_path = portal, pg_temp as $$
  select o.tenant_id from owned_name o where o.owner_id = a_owner and o.folded_name = a_folded
$$;

create function portal.created_today(a_owner text) returns int
language sql stable security definer set search_path = portal, pg_temp as $$
  select count(*)::int from signup s
  where s.owner_id = a_owner and s.created_tenant
    and s.created_at >= date_trunc('day', clock_timestamp() at time zone 'UTC') at time zone 'UTC'
$$;

create function portal.keep_signup(
  a_owner text, a_key text, a_fingerprint bytea, a_tenant uuid, a_created boolean, a_document text, a_folded text) returns void
language sql security definer set search_path = portal, pg_temp as $$
  insert into signup (owner_id, idempotency_key, fingerprint, tenant_id, created_tenant, document)
    values (a_owner, a_key, a_fingerprint, a_tenant, a_created, a_document);
  insert into owned_name (owner_id, folded_name, tenant_id) values (a_owner, a_folded, a_tenant)
    on conflict (owner_id, folded_name) do update set tenant_id = excluded.tenant_id;
$$;

-- The caller says which tenants it is a member of; nothing but their names leaves.
create function portal.names_of(a_tenants uuid[]) returns table (tenant_id uuid, name text)
language sql stable security definer set search_path = portal, pg_temp as $$
  select t.tenant_id, t.name from tenant t where t.tenant_id = any (a_tenants)
$$;

-- An invitation is accepted by someone who is no member yet: the secret itself is the key.
create policy invitations on portal.invitation for select to {{job:portal_directory}} using (true);
grant select on portal.invitation to {{job:portal_directory}};
create function portal.find_invitation(a_secret_hash bytea)
returns table (tenant_id uuid, invitation_id uuid)
language sql stable security definer set search_path = portal, pg_temp as $$
  select i.tenant_id, i.invitation_id from invitation i
  where i.secret_hash = a_secret_hash and i.accepted_at is null and i.revoked_at is null and i.expires_at > clock_timestamp()
$$;
create unique index invitation_secret on portal.invitation (secret_hash);

do $$
declare signature text;
begin
  foreach signature in array array[
    'find_signup(text, text)', 'find_owned(text, text)', 'created_today(text)',
    'keep_signup(text, text, bytea, uuid, boolean, text, text)', 'names_of(uuid[])', 'find_invitation(bytea)'] loop
    execute 'alter function portal.' || signature || ' owner to {{job:portal_directory}}';
    execute 'revoke all on function portal.' || signature || ' from public';
    execute 'grant execute on function portal.' || signature || ' to {{app}}';
  end loop;
end $$;
revoke create on schema portal from {{job:portal_directory}};
