-- Where a provider's movements go: of a connection, one account there in one currency, kept as one account of the chart.
create table accounting.feed (
  tenant_id uuid not null references accounting.book,
  feed_id uuid not null,
  -- Of the callbacks; it may be removed while its movements stay.
  connection_id uuid not null,
  provider text not null check (provider ~ '^[a-z][a-z0-9_]{0,39}$'),
  -- `clearing`: money that a provider of payments holds. `bank`: an account at a bank.
  kind text not null check (kind in ('clearing', 'bank')),
  -- The account at a bank, as the provider names it; empty for a clearing account.
  remote text not null check (length(remote) <= 200),
  name text not null check (length(name) between 1 and 200),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Null until somebody says which account of the chart it is.
  account_id uuid,
  opened_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, feed_id),
  unique (tenant_id, connection_id, remote, currency),
  foreign key (tenant_id, account_id) references accounting.account,
  constraint feed_iso_4217 check (accounting.minor_digits(currency) is not null)
);
create unique index feed_account on accounting.feed (tenant_id, account_id) where kind = 'clearing' and account_id is not null;
create index feed_bank_account on accounting.feed (tenant_id, account_id) where account_id is not null;

-- A movement as its provider says it now, once by the provider's id. What the books say of it is its line.
create table accounting.feed_movement (
  tenant_id uuid not null references accounting.book,
  feed_id uuid not null,
  movement_id text not null check (length(movement_id) between 1 and 220),
  kind text not null check (kind in ('charge', 'fee', 'refund', 'refund_reversal', 'dispute', 'dispute_reversal', 'payout', 'payout_reversal',
    'transfer', 'adjustment', 'bank')),
  day date not null,
  -- Minor units of the feed's currency; what came in is positive.
  amount bigint not null check (amount <> 0),
  description text not null check (length(description) <= 2000),
  counterparty text check (length(counterparty) <= 500),
  reference text check (length(reference) <= 500),
  payout_id text check (length(payout_id) between 1 and 200),
  -- `due` and `leaving` wait for their line to be made or taken back; `kept` has its line; of a `double` a file brought the line; `gone` has none any more.
  state text not null check (state in ('due', 'leaving', 'kept', 'double', 'gone')),
  line_id uuid,
  -- Somebody said that it is no double.
  own boolean not null default false,
  -- How many lines were made of it before.
  revision int not null default 0,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, feed_id, movement_id),
  foreign key (tenant_id, feed_id) references accounting.feed,
  foreign key (tenant_id, line_id) references accounting.bank_line,
  check (state not in ('kept', 'double', 'leaving') or line_id is not null)
);
create index feed_movement_waiting on accounting.feed_movement (tenant_id, feed_id, day, movement_id) where state in ('due', 'leaving');
create index feed_movement_line on accounting.feed_movement (tenant_id, line_id) where line_id is not null;
create index feed_movement_named on accounting.feed_movement (tenant_id, feed_id, amount) where reference is not null and state = 'kept';
create index feed_movement_payout on accounting.feed_movement (tenant_id, feed_id, payout_id) where payout_id is not null;
create index feed_movement_double on accounting.feed_movement (tenant_id, feed_id, day, movement_id) where state = 'double';

-- What a provider paid out, or is about to.
create table accounting.payout (
  tenant_id uuid not null references accounting.book,
  feed_id uuid not null,
  payout_id text not null check (length(payout_id) between 1 and 200),
  day date not null,
  amount bigint not null,
  -- In this order; a later one never gives way to an earlier.
  status text not null check (status in ('pending', 'in_transit', 'paid', 'failed')),
  -- Whether the provider says of which movements it is made. Nobody can tell that of one that was asked for by hand.
  itemized boolean not null,
  -- Whether all of those were read.
  complete boolean not null,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, feed_id, payout_id),
  foreign key (tenant_id, feed_id) references accounting.feed
);
create index payout_by_day on accounting.payout (tenant_id, day desc, feed_id desc, payout_id desc);

-- How far a connection with a bank is read, and how it stands.
create table accounting.bank_connection (
  tenant_id uuid not null references accounting.book,
  connection_id uuid not null,
  -- The provider's; null until something was read.
  cursor text check (length(cursor) <= 1000),
  state text not null default 'good' check (state in ('good', 'login_required', 'expiring', 'revoked', 'error')),
  -- The provider's own name of the fault.
  fault text check (length(fault) <= 200),
  state_at timestamptz not null default clock_timestamp(),
  synced_at timestamptz,
  primary key (tenant_id, connection_id)
);

-- A form that a provider files: Forms 1099 of a year, and how far that came.
create table accounting.tax_filing (
  tenant_id uuid not null references accounting.book,
  filing_id uuid not null,
  connection_id uuid not null,
  provider text not null check (provider ~ '^[a-z][a-z0-9_]{0,39}$'),
  submission_id text not null check (length(submission_id) between 1 and 200),
  record_id text not null check (length(record_id) between 1 and 200),
  form text not null check (length(form) between 1 and 40),
  tax_year int check (tax_year between 2000 and 2100),
  -- The supplier, where the provider was told its id.
  party_id uuid,
  status text not null check (status in ('created', 'transmitted', 'accepted', 'rejected', 'unknown')),
  provider_status text not null check (length(provider_status) between 1 and 100),
  status_at timestamptz not null,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, filing_id),
  unique (tenant_id, connection_id, submission_id, record_id),
  foreign key (tenant_id, party_id) references accounting.party
);
create index tax_filing_by_party on accounting.tax_filing (tenant_id, party_id) where party_id is not null;

-- A movement that names an order meets the payment that was recorded for it.
create index payment_reference on accounting.payment (tenant_id, account_id, reference) where reference is not null and void_on is null;

-- What a provider takes back, as banks do with a movement that they said wrongly. The row stays, and counts no more.
alter table accounting.bank_line add column withdrawn_at timestamptz;
alter table accounting.bank_statement drop constraint bank_statement_format_check;
alter table accounting.bank_statement add constraint bank_statement_format_check check (format in ('csv', 'ofx', 'camt053', 'feed'));

do $$
declare
  relation text;
begin
  foreach relation in array array['feed', 'feed_movement', 'payout', 'bank_connection', 'tax_filing'] loop
    execute format('alter table accounting.%I enable row level security', relation);
    execute format('alter table accounting.%I force row level security', relation);
    execute format($policy$create policy tenant on accounting.%I
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, relation);
    execute format('grant select, insert on accounting.%I to {{app}}', relation);
    execute format('create policy verifier on accounting.%I for select to {{job:audit_verifier}} using (true)', relation);
    execute format('grant select on accounting.%I to {{job:audit_verifier}}', relation);
  end loop;
end
$$;
grant update (account_id, name) on accounting.feed to {{app}};
grant update (kind, day, amount, description, counterparty, reference, payout_id, state, line_id, own, revision, changed_at) on accounting.feed_movement to {{app}};
grant update (day, amount, status, itemized, complete, changed_at) on accounting.payout to {{app}};
grant update (cursor, state, fault, state_at, synced_at) on accounting.bank_connection to {{app}};
grant update (form, tax_year, party_id, status, provider_status, status_at, changed_at) on accounting.tax_filing to {{app}};
grant update (withdrawn_at) on accounting.bank_line to {{app}};
