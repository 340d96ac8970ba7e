-- Which clients and agents ever came to a tenant, so that shutting out one whose name is mistyped is not taken for done.
create table portal.client_seen (
  tenant_id uuid not null references portal.tenant,
  agent_id text not null,
  first_seen_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, agent_id)
);
alter table portal.client_seen enable row level security;
alter table portal.client_seen force row level security;
create policy tenant on portal.client_seen
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select, insert on portal.client_seen to {{app}};
