-- What is due in the books for an order or for goods that were moved, once for its source, and what became of it.
create table bookkeeping.posting (
  tenant_id uuid not null,
  posting_id uuid not null,
  -- Orders are others': ids without foreign keys, as are documents and payments of the books.
  -- Null: of goods that no order moved.
  order_id uuid,
  kind text not null check (kind in ('invoice', 'payment', 'refund', 'cancellation', 'cost', 'edit_credit', 'edit_charge')),
  -- What it is for: the order itself, or what moved its money or goods.
  source_id uuid not null,
  -- The event that brought it about.
  cause_id uuid,
  -- Of what that belongs to: what is made of it in the books belongs to the same.
  correlation_id text check (length(correlation_id) between 1 and 200),
  state text not null default 'due' check (state in ('due', 'waiting', 'drafted', 'posted', 'left_out')),
  -- Why it waits or was left out.
  reason text check (reason ~ '^[a-z_]{1,60}$'),
  detail text check (length(detail) <= 1000),
  document_id uuid,
  payment_id uuid,
  entry_id uuid,
  -- Of an invoice: the version of the order that it has. Edits before are in it, and those after it are not.
  order_version int,
  -- In vain.
  attempts int not null default 0 check (attempts >= 0),
  -- When it is tried again; null: not by itself.
  next_at timestamptz default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, posting_id),
  constraint posting_once unique nulls not distinct (tenant_id, order_id, kind, source_id),
  check (order_id is not null or kind = 'cost'),
  check (state <> 'waiting' or reason is not null),
  check (state <> 'drafted' or document_id is not null)
);
create index posting_to_try on bookkeeping.posting (next_at) where next_at is not null;
create index posting_by_state on bookkeeping.posting (tenant_id, state, posting_id);
create index posting_by_document on bookkeeping.posting (tenant_id, document_id) where document_id is not null;
-- What goods cost, by what moved them and by its entry.
create index posting_by_source on bookkeeping.posting (tenant_id, source_id) where kind = 'cost';
create index posting_by_entry on bookkeeping.posting (tenant_id, entry_id) where kind = 'cost' and entry_id is not null;

alter table bookkeeping.posting enable row level security;
alter table bookkeeping.posting force row level security;
create policy tenant on bookkeeping.posting to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select, insert on bookkeeping.posting to {{app}};
grant update (state, reason, detail, document_id, payment_id, entry_id, order_version, attempts, next_at, updated_at) on bookkeeping.posting to {{app}};

-- What waits for somebody to work on it is found across tenants.
grant usage on schema bookkeeping to {{job:bookkeeping}};
create policy job on bookkeeping.posting to {{job:bookkeeping}} using (true) with check (true);
grant select (tenant_id, posting_id, kind, cause_id, correlation_id, next_at), update (next_at) on bookkeeping.posting to {{job:bookkeeping}};

create policy verifier on bookkeeping.posting for select to {{job:audit_verifier}} using (true);
grant select on bookkeeping.posting to {{job:audit_verifier}};
