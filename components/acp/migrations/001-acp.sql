create schema acp;
grant usage on schema acp to {{app}};

-- What a platform may pay with once, in a test. What is paid with is with the platform alone, and of a card there is nothing.
create table acp.payment_token (
  tenant_id uuid not null,
  token_id uuid not null,
  token_sha256 bytea not null check (octet_length(token_sha256) = 32),
  brand_id uuid not null,
  agent_id uuid not null,
  -- What it may be used for, as the platform says it.
  checkout_session_id text not null check (length(checkout_session_id) <= 255),
  merchant_id text not null check (length(merchant_id) <= 256),
  max_amount bigint not null check (max_amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- What becomes of a payment.
  outcome text not null check (outcome in ('succeed', 'decline', 'require_action')),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, token_sha256)
);
create index payment_token_of_agent on acp.payment_token (tenant_id, agent_id, expires_at);

alter table acp.payment_token enable row level security;
alter table acp.payment_token force row level security;
create policy tenant on acp.payment_token to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select, insert, delete on acp.payment_token to {{app}};
grant update (used_at) on acp.payment_token to {{app}};
