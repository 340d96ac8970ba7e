create table accounting.payment (
  tenant_id uuid not null references accounting.book,
  payment_id uuid not null,
  number bigint not null check (number > 0),
  direction text not null check (direction in ('received', 'made')),
  party_id uuid not null,
  -- Where the money came in or went out.
  account_id uuid not null,
  date date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount > 0),
  rate numeric(30, 12) not null check (rate > 0),
  base_amount bigint not null check (base_amount >= 0),
  reference text check (length(reference) <= 200),
  entry_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  void_on date,
  primary key (tenant_id, payment_id),
  unique (tenant_id, number),
  foreign key (tenant_id, party_id) references accounting.party,
  foreign key (tenant_id, account_id) references accounting.account,
  foreign key (tenant_id, entry_id) references accounting.entry
);

-- The sub-ledger: what each party owes or is owed, one row a document or payment, under its id. Charges are what is to be
-- paid (invoices, bills, refunds), credits what pays (payments, credit notes). The open items of a side, charges less
-- credits, in the base currency are what its control account holds.
create table accounting.item (
  tenant_id uuid not null references accounting.book,
  item_id uuid not null,
  kind text not null check (kind in ('invoice', 'credit_note', 'bill', 'supplier_credit', 'payment')),
  side text not null check (side in ('receivable', 'payable')),
  nature text not null check (nature in ('charge', 'credit')),
  party_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount > 0),
  base_amount bigint not null check (base_amount >= 0),
  open_amount bigint not null check (open_amount between 0 and amount),
  open_base bigint not null check (open_base between 0 and base_amount),
  opened_on date not null,
  due_on date not null,
  -- The latest day on which anything happened to it. Nothing later in time is dated before it, so that what was open on
  -- a day can be told from days alone.
  moved_on date not null check (moved_on >= opened_on),
  void_on date,
  primary key (tenant_id, item_id),
  foreign key (tenant_id, party_id) references accounting.party,
  check (open_amount > 0 or open_base = 0),
  check (void_on is null or open_amount = 0)
);
create index item_open on accounting.item (tenant_id, side, party_id) where open_amount > 0;
create index item_moved on accounting.item (tenant_id, moved_on);

-- A credit pays part of a charge. Bases are what either side gives up; they differ by the gain or loss on exchange.
create table accounting.allocation (
  tenant_id uuid not null references accounting.book,
  allocation_id uuid not null,
  credit_id uuid not null,
  charge_id uuid not null,
  date date not null,
  amount bigint not null check (amount > 0),
  credit_base bigint not null check (credit_base >= 0),
  charge_base bigint not null check (charge_base >= 0),
  -- The entry of the exchange difference, where there is one.
  entry_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  undone_on date check (undone_on >= date),
  primary key (tenant_id, allocation_id),
  foreign key (tenant_id, credit_id) references accounting.item,
  foreign key (tenant_id, charge_id) references accounting.item,
  foreign key (tenant_id, entry_id) references accounting.entry,
  check ((credit_base = charge_base) = (entry_id is null))
);
create index allocation_credit on accounting.allocation (tenant_id, credit_id);
create index allocation_charge on accounting.allocation (tenant_id, charge_id);

-- Open items in other currencies at a day's rate. Entry and mirror are a day apart, so it counts on that day only.
create table accounting.revaluation (
  tenant_id uuid not null references accounting.book,
  revaluation_id uuid not null,
  day date not null,
  entry_id uuid not null,
  mirror_id uuid not null,
  primary key (tenant_id, revaluation_id),
  foreign key (tenant_id, entry_id) references accounting.entry,
  foreign key (tenant_id, mirror_id) references accounting.entry
);
create index revaluation_day on accounting.revaluation (tenant_id, day);

create table accounting.revaluation_item (
  tenant_id uuid not null references accounting.book,
  revaluation_id uuid not null,
  item_id uuid not null,
  -- What the item is worth more than its books say, in minor units of the base currency.
  difference bigint not null check (difference <> 0),
  primary key (tenant_id, revaluation_id, item_id),
  foreign key (tenant_id, revaluation_id) references accounting.revaluation,
  foreign key (tenant_id, item_id) references accounting.item
);

do $$
declare
  relation text;
begin
  foreach relation in array array['payment', 'item', 'allocation', 'revaluation', 'revaluation_item'] loop
    execute format('alter table accounting.%I enable row level security', relation);
    execute format('alter table accounting.%I force row level security', relation);
    execute format($policy$create policy tenant on accounting.%I
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, relation);
    execute format('grant select, insert on accounting.%I to {{app}}', relation);
  end loop;
end
$$;
-- Nothing else of what was paid or allocated is ever changed, and nothing is deleted.
grant update (void_on) on accounting.payment to {{app}};
grant update (open_amount, open_base, moved_on, void_on) on accounting.item to {{app}};
grant update (undone_on) on accounting.allocation to {{app}};
