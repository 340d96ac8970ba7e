-- Who may act where. Read before a tenant is known, so two roles see it: the application inside one tenant, and the
-- directory role behind functions that take the exact key. A third verifies that it stands in the audit log.
create schema identity;
grant usage on schema identity to {{app}}, {{job:directory}}, {{job:audit_verifier}};

create table identity.member (
  tenant_id uuid not null,
  principal_type text not null check (principal_type in ('user', 'service')),
  -- 'service:…' names platform service tokens, which hold no membership.
  principal_id text not null check (length(principal_id) between 1 and 300 and not starts_with(principal_id, 'service:')),
  role text not null check (role in ('owner', 'admin', 'accountant', 'merchandiser', 'developer', 'viewer')),
  added_at timestamptz not null default clock_timestamp(),
  -- Through which client somebody was made a member, so that all it appointed can be found once it is shut out.
  created_through text,
  -- Whoever is suspended has no standing until a person restores it.
  suspended_at timestamptz,
  -- Who made somebody a member, so that all whom they brought can be found once they are suspended themselves: a principal, of a type
  -- as well, and so is whoever gave them another role.
  created_by text,
  created_by_type text,
  -- Through which client they were given another role, and by whom.
  role_through text,
  role_by text,
  role_by_type text,
  primary key (tenant_id, principal_type, principal_id)
);
create index member_by_principal on identity.member (principal_type, principal_id, tenant_id) include (role);
create index member_created_through on identity.member (tenant_id, created_through) where created_through is not null;
create index member_created_by on identity.member (tenant_id, created_by) where created_by is not null;

alter table identity.member enable row level security;
alter table identity.member force row level security;
create policy tenant on identity.member to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy directory on identity.member for select to {{job:directory}} using (true);
create policy verifier on identity.member for select to {{job:audit_verifier}} using (true);
grant select, insert, update, delete on identity.member to {{app}};
grant select on identity.member to {{job:directory}};
grant select (tenant_id, principal_type, principal_id, role, suspended_at, added_at, created_through, created_by, created_by_type, role_through,
    role_by, role_by_type)
  on identity.member to {{job:audit_verifier}};
-- The audit log asks in the appending transaction itself what standing somebody has who ingests.
grant usage on schema identity to {{job:audit_appender}};

-- Where those came from who are members no more: whom they brought is found through them still.
create table identity.former_member (
  tenant_id uuid not null,
  principal_type text not null,
  principal_id text not null,
  created_through text,
  created_by text,
  created_by_type text,
  removed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, principal_type, principal_id, removed_at)
);
alter table identity.former_member enable row level security;
alter table identity.former_member force row level security;
create policy tenant on identity.former_member to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy verifier on identity.former_member for select to {{job:audit_verifier}} using (true);
grant select, insert on identity.former_member to {{app}};
grant select (tenant_id, principal_type, principal_id, removed_at) on identity.former_member to {{job:audit_verifier}};

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

-- One row for each change of what somebody may do in a tenant, written in the transaction of the change. Every process
-- polls it and forgets what it cached of that tenant.
create table identity.standing_change (
  tenant_id uuid not null,
  id bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);
create index standing_change_by_xid on identity.standing_change (xid);

alter table identity.standing_change enable row level security;
alter table identity.standing_change force row level security;
create policy tenant on identity.standing_change for insert to {{app}}
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy feed on identity.standing_change to {{job:directory}} using (true);
grant insert (tenant_id) on identity.standing_change to {{app}};
grant select, delete on identity.standing_change to {{job:directory}};

-- How often that has happened in a tenant: whatever was decided about somebody under another number is decided again before they enter.
create table identity.access_version (
  tenant_id uuid primary key,
  version bigint not null
);
alter table identity.access_version enable row level security;
alter table identity.access_version force row level security;
create policy directory on identity.access_version to {{job:directory}} using (true) with check (true);
grant select, insert, update on identity.access_version to {{job:directory}};
