-- How an account counts in the cash flow statement. `cash` is money itself: bank, cash in hand, what is on its way to the bank.
alter table accounting.account add column activity text not null default 'operating'
  check (activity in ('cash', 'operating', 'investing', 'financing'));
update accounting.account set activity = case
  when control in ('bank', 'undeposited') or code = '1050' then 'cash' when code in ('1500', '1590') then 'investing'
  when type = 'equity' or code = '2500' then 'financing' else 'operating' end;

-- The months of the books. Every posting holds its month's row in share mode until it commits, and who closes the month
-- needs the row for itself: nothing is posted into a month that closes at the same time.
create table accounting.period (
  tenant_id uuid not null references accounting.book,
  month date not null check (extract(day from month) = 1),
  status text not null default 'open' check (status in ('open', 'closed')),
  -- The fiscal year's profit has been carried to retained earnings; it is not reopened without undoing that first.
  year_closed boolean not null default false,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, month)
);

-- Base units of the tenant's currency for one unit of another, from that day on.
create table accounting.rate (
  tenant_id uuid not null references accounting.book,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  day date not null,
  rate numeric(30, 12) not null check (rate > 0),
  primary key (tenant_id, currency, day)
);

-- Numbers without reuse and without holes: taken in the transaction that uses them, as late in it as can be.
create table accounting.series (
  tenant_id uuid not null references accounting.book,
  name text not null check (name ~ '^[a-z_]{1,40}$'),
  next bigint not null default 1 check (next > 0),
  primary key (tenant_id, name)
);

create table accounting.entry (
  tenant_id uuid not null references accounting.book,
  entry_id uuid not null,
  number bigint not null check (number > 0),
  posting_date date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Base units for one unit of the entry's currency; 1 where that is the base currency.
  rate numeric(30, 12) not null check (rate > 0),
  narration text not null check (length(narration) <= 2000),
  -- What it comes from: `journal`, `opening`, `closing`, `reversal`, or the document's kind.
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  source_id uuid,
  reverses uuid,
  -- The event that recorded it in the audit log.
  event_id uuid not null,
  posted_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, entry_id),
  unique (tenant_id, number),
  unique (tenant_id, reverses),
  foreign key (tenant_id, reverses) references accounting.entry
);
create index entry_date on accounting.entry (tenant_id, posting_date, number);
create index entry_source on accounting.entry (tenant_id, source_id) where source_id is not null;

-- Which entry a caller's key stands for; claimed in the transaction that posts it.
create table accounting.entry_key (
  tenant_id uuid not null references accounting.book,
  entry_id uuid not null,
  digest text not null check (length(digest) = 64),
  primary key (tenant_id, entry_id)
);

-- Two-sided: each names the account it debits and the one it credits, so that no set of them can be out of balance.
create table accounting.posting (
  tenant_id uuid not null references accounting.book,
  entry_id uuid not null,
  line int not null check (line > 0),
  debit_account_id uuid not null,
  credit_account_id uuid not null check (credit_account_id <> debit_account_id),
  -- Minor units of the entry's currency, and of the base currency at the entry's rate.
  amount bigint not null check (amount > 0),
  base_amount bigint not null check (base_amount >= 0),
  debit_memo text check (length(debit_memo) <= 500),
  credit_memo text check (length(credit_memo) <= 500),
  -- Copies of the entry's, for reading an account in order.
  posting_date date not null,
  number bigint not null,
  primary key (tenant_id, entry_id, line),
  foreign key (tenant_id, entry_id) references accounting.entry,
  foreign key (tenant_id, debit_account_id) references accounting.account,
  foreign key (tenant_id, credit_account_id) references accounting.account
);
create index posting_debit on accounting.posting (tenant_id, debit_account_id, posting_date, number, line);
create index posting_credit on accounting.posting (tenant_id, credit_account_id, posting_date, number, line);

-- Sums by account, currency and month, kept by the posting itself. Closing entries stand apart: a year's profit is
-- still to be seen after it was carried away.
create table accounting.balance (
  tenant_id uuid not null references accounting.book,
  account_id uuid not null,
  currency text not null,
  month date not null,
  closing boolean not null,
  debit bigint not null,
  credit bigint not null,
  base_debit bigint not null,
  base_credit bigint not null,
  primary key (tenant_id, account_id, currency, month, closing),
  foreign key (tenant_id, account_id) references accounting.account
) with (fillfactor = 70);

do $$
declare
  relation text;
begin
  foreach relation in array array['period', 'rate', 'series', 'entry', 'entry_key', 'posting', 'balance'] loop
    execute format('alter table accounting.%I enable row level security', relation);
    execute format('alter table accounting.%I force row level security', relation);
    execute format($policy$create policy tenant on accounting.%I
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, relation);
    execute format('grant select on accounting.%I to {{app}}', relation);
  end loop;
end
$$;
grant insert, update on accounting.rate, accounting.series to {{app}};
grant insert on accounting.entry_key to {{app}};

-- What is posted stays. Statement triggers, because a row trigger never fires for an owner under forced row-level
-- security; ALWAYS, because ordinary ones sleep under session_replication_role = replica.
create function accounting.refuse_change() returns trigger language plpgsql set search_path = accounting, pg_temp as $$
begin
  raise exception 'accounting.% is immutable: % is refused', tg_table_name, tg_op using errcode = '42501';
end
$$;
create trigger immutable before update or delete or truncate on accounting.entry
  for each statement execute function accounting.refuse_change();
create trigger immutable before update or delete or truncate on accounting.posting
  for each statement execute function accounting.refuse_change();
alter table accounting.entry enable always trigger immutable;
alter table accounting.posting enable always trigger immutable;

-- Rows are written by functions of this role only, which bear the tenant policy like everybody.
grant usage on schema accounting to {{job:ledger}};
grant select on accounting.book, accounting.account to {{job:ledger}};
grant select, insert, update on accounting.period, accounting.series, accounting.balance to {{job:ledger}};
grant select, insert on accounting.entry, accounting.posting to {{job:ledger}};
