create schema accounting;
grant usage on schema accounting to {{app}};

create table accounting.book (
  tenant_id uuid primary key,
  base_currency text not null check (base_currency ~ '^[A-Z]{3}$'),
  fiscal_year_start_month int not null check (fiscal_year_start_month between 1 and 12),
  template text not null,
  opened_at timestamptz not null default clock_timestamp()
);

create table accounting.account (
  tenant_id uuid not null references accounting.book,
  account_id uuid not null,
  code text not null check (code ~ '^[0-9A-Za-z.-]{1,20}$'),
  name text not null,
  type text not null check (type in ('asset', 'liability', 'equity', 'income', 'expense')),
  -- What the platform itself posts to, such as receivables; one account a tenant for each.
  control text,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  created_at timestamptz not null default clock_timestamp(),
  archived_at timestamptz,
  primary key (tenant_id, account_id),
  unique (tenant_id, code)
);
create unique index account_control on accounting.account (tenant_id, control) where control is not null;

alter table accounting.book enable row level security;
alter table accounting.book force row level security;
alter table accounting.account enable row level security;
alter table accounting.account force row level security;
create policy tenant on accounting.book
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy tenant on accounting.account
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select, insert on accounting.book to {{app}};
grant select, insert, update (name, archived_at) on accounting.account to {{app}};
