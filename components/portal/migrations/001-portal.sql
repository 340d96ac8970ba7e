create schema portal;
grant usage on schema portal to {{app}};

create table portal.tenant (
  tenant_id uuid primary key,
  name text not null,
  default_currency text not null check (default_currency ~ '^[A-Z]{3}$'),
  fiscal_year_start_month int not null check (fiscal_year_start_month between 1 and 12),
  persona text not null,
  version int not null default 1,
  created_at timestamptz not null default clock_timestamp()
);

create table portal.billing (
  tenant_id uuid primary key references portal.tenant,
  tier text not null,
  status text not null,
  trial_ends_at timestamptz
);

create table portal.brand (
  tenant_id uuid not null references portal.tenant,
  brand_id uuid not null,
  name text not null,
  is_default boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  archived_at timestamptz,
  primary key (tenant_id, brand_id)
);
create unique index brand_default on portal.brand (tenant_id) where is_default;

create table portal.agent_grant (
  tenant_id uuid not null references portal.tenant,
  agent_id text not null,
  pillars text[],
  tiers text[],
  tools text[],
  granted_by text not null,
  granted_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz,
  primary key (tenant_id, agent_id)
);

create table portal.tool_policy (
  tenant_id uuid primary key references portal.tenant,
  version int not null default 1,
  denied_tools text[] not null default '{}',
  -- Whether an agent needs a grant of its own, beside the consent of the member it acts for.
  agents_need_grant boolean not null default false
);

create table portal.invitation (
  tenant_id uuid not null references portal.tenant,
  invitation_id uuid not null,
  email text not null,
  role text not null,
  secret_hash bytea not null,
  invited_by text not null,
  invited_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, invitation_id)
);
create unique index invitation_open on portal.invitation (tenant_id, email) where accepted_at is null and revoked_at is null;

do $$
declare name text;
begin
  foreach name in array array['tenant', 'billing', 'brand', 'agent_grant', 'tool_policy', 'invitation'] loop
    execute format('alter table portal.%I enable row level security', name);
    execute format('alter table portal.%I force row level security', name);
    execute format($policy$create policy tenant on portal.%I
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    execute format('grant select, insert, update on portal.%I to {{app}}', name);
  end loop;
end $$;
