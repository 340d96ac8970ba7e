-- How the orders of a shop get into its books.
create schema bookkeeping;
grant usage on schema bookkeeping to {{app}}, {{job:audit_verifier}};

-- What a person decided about it. Without a row it is as the code says.
create table bookkeeping.profile (
  tenant_id uuid not null primary key,
  mode text not null check (mode in ('off', 'drafts', 'post')),
  -- Accounts of the books; none: the one that the books have for it.
  sales_account_id uuid,
  shipping_account_id uuid,
  inventory_account_id uuid,
  cost_of_sales_account_id uuid,
  shrinkage_account_id uuid,
  -- By payment handler.
  clearing_accounts jsonb not null default '{}' check (jsonb_typeof(clearing_accounts) = 'object'),
  version int not null default 1,
  changed_at timestamptz not null default clock_timestamp()
);

alter table bookkeeping.profile enable row level security;
alter table bookkeeping.profile force row level security;
create policy tenant on bookkeeping.profile to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select, insert on bookkeeping.profile to {{app}};
grant update (mode, sales_account_id, shipping_account_id, inventory_account_id, cost_of_sales_account_id, shrinkage_account_id, clearing_accounts,
    version, changed_at)
  on bookkeeping.profile to {{app}};

-- For whoever verifies that they stand in the audit log.
create policy verifier on bookkeeping.profile for select to {{job:audit_verifier}} using (true);
grant select on bookkeeping.profile to {{job:audit_verifier}};
