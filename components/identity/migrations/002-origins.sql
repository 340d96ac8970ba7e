-- Where a member comes from is a principal, of a type as well, and so is who gave them another role, and the client they did it through.
alter table identity.member
  add column created_by_type text,
  add column role_through text,
  add column role_by text,
  add column role_by_type text;

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
grant select, insert on identity.former_member to {{app}};
