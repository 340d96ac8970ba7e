create schema portal;
grant usage on schema portal to {{app}}, {{job:portal_directory}}, {{job:audit_verifier}};

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
  trial_ends_at timestamptz,
  -- Of what was not paid; the time of grace is counted from it.
  past_due_since timestamptz
);

-- The tenant as a customer of the platform's payment provider, and what the provider last said of its subscription.
create table portal.billing_account (
  tenant_id uuid primary key references portal.tenant,
  -- As the provider names it; made by us, so it is nobody else's.
  customer_id text not null check (length(customer_id) between 1 and 100),
  live boolean not null,
  subscription_id text check (length(subscription_id) between 1 and 100),
  subscription_tier text,
  standing text check (standing in ('active', 'past_due', 'canceled')),
  began_at timestamptz,
  past_due_since timestamptz,
  -- Which of several answers of the provider it is from: a later question has the later answer.
  reading bigint not null default 0,
  check ((subscription_id is null) = (standing is null)),
  check ((subscription_id is null) = (subscription_tier is null)),
  check ((subscription_id is null) = (began_at is null)),
  check ((standing is not distinct from 'past_due') = (past_due_since is not null))
);
-- An index and no constraint of the tenant's: whose an event of the provider is, is found by it.
create unique index billing_account_customer on portal.billing_account (customer_id);

-- Payments of a tenant that its bank was asked to take back.
create table portal.billing_dispute (
  tenant_id uuid not null references portal.tenant,
  dispute_id text not null check (length(dispute_id) between 1 and 100),
  -- In the provider's words.
  status text not null check (length(status) between 1 and 100),
  opened_at timestamptz not null,
  reading bigint not null,
  primary key (tenant_id, dispute_id)
);

create sequence portal.billing_reading;

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
  -- Through which client it was made. What is suspended lets nobody in until a person restores it.
  created_through text,
  suspended_at timestamptz,
  -- Who granted it is a principal, of a type as well.
  granted_by_type text,
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
  -- As of a grant.
  created_through text,
  suspended_at timestamptz,
  invited_by_type text,
  primary key (tenant_id, invitation_id)
);
create unique index invitation_open on portal.invitation (tenant_id, email) where accepted_at is null and revoked_at is null;
-- It is accepted by someone who is no member yet: the secret itself is the key.
create unique index invitation_secret on portal.invitation (secret_hash);

-- Which clients and agents ever came to a tenant, so that shutting out one whose name is mistyped is not taken for done.
create table portal.client_seen (
  tenant_id uuid not null references portal.tenant,
  agent_id text not null,
  first_seen_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, agent_id)
);

do $$
declare name text;
begin
  foreach name in array array['tenant', 'billing', 'billing_account', 'billing_dispute', 'brand', 'agent_grant', 'tool_policy', 'invitation', 'client_seen'] loop
    execute format('alter table portal.%I enable row level security', name);
    execute format('alter table portal.%I force row level security', name);
    execute format($policy$create policy tenant on portal.%I
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    execute format('grant select, insert on portal.%I to {{app}}', name);
  end loop;
end $$;
grant update on portal.tenant, portal.billing, portal.billing_account, portal.billing_dispute, portal.brand, portal.agent_grant, portal.tool_policy, portal.invitation to {{app}};
grant usage on sequence portal.billing_reading to {{app}};
-- Of the clients that came to a tenant the newest are kept.
grant delete on portal.client_seen to {{app}};

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
create policy invitations on portal.invitation for select to {{job:portal_directory}} using (true);
create policy customers on portal.billing_account for select to {{job:portal_directory}} using (true);
grant select, insert, update on portal.signup, portal.owned_name to {{job:portal_directory}};
grant select (tenant_id, name) on portal.tenant to {{job:portal_directory}};
grant select on portal.invitation to {{job:portal_directory}};
grant select (tenant_id, customer_id, live) on portal.billing_account to {{job:portal_directory}};

-- For whoever verifies that what decides in a tenant stands in the audit log, and that an invitation is the one that was sent: to whom,
-- with which secret, and until when, by a digest in its event.
do $$
declare name text;
begin
  foreach name in array array['invitation', 'agent_grant', 'tool_policy', 'billing', 'billing_account', 'billing_dispute', 'tenant', 'brand'] loop
    execute format('create policy verifier on portal.%I for select to {{job:audit_verifier}} using (true)', name);
  end loop;
end $$;
grant select (tenant_id, invitation_id, email, secret_hash, role, expires_at, accepted_at, revoked_at, suspended_at, invited_by,
    invited_by_type, created_through, invited_at)
  on portal.invitation to {{job:audit_verifier}};
grant select (tenant_id, agent_id, pillars, tiers, tools, revoked_at, suspended_at) on portal.agent_grant to {{job:audit_verifier}};
grant select on portal.tool_policy, portal.billing, portal.billing_account, portal.billing_dispute to {{job:audit_verifier}};
grant select (tenant_id, persona, default_currency, fiscal_year_start_month, version, created_at) on portal.tenant to {{job:audit_verifier}};
grant select (tenant_id, brand_id, is_default, created_at, archived_at) on portal.brand to {{job:audit_verifier}};
