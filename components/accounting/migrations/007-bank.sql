-- A file that a bank gave, as it was read. The same bytes are not taken twice for one account.
create table accounting.bank_statement (
  tenant_id uuid not null references accounting.book,
  statement_id uuid not null,
  account_id uuid not null,
  format text not null check (format in ('csv', 'ofx', 'camt053')),
  content_sha256 text not null check (length(content_sha256) = 64),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  opening bigint,
  closing bigint,
  imported_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, statement_id),
  unique (tenant_id, account_id, content_sha256),
  foreign key (tenant_id, account_id) references accounting.account
);

-- What the bank says happened. Never changed; how it was explained stands in bank_match.
create table accounting.bank_line (
  tenant_id uuid not null references accounting.book,
  line_id uuid not null,
  statement_id uuid not null,
  account_id uuid not null,
  day date not null,
  -- Minor units of the account's currency; what came in is positive.
  amount bigint not null check (amount <> 0),
  description text not null check (length(description) <= 2000),
  counterparty text check (length(counterparty) <= 500),
  reference text check (length(reference) <= 500),
  -- The bank's own id, or one that follows from the line and how often its like was seen before it.
  bank_id text not null check (length(bank_id) <= 300),
  primary key (tenant_id, line_id),
  unique (tenant_id, account_id, bank_id),
  foreign key (tenant_id, statement_id) references accounting.bank_statement,
  foreign key (tenant_id, account_id) references accounting.account
);
create index bank_line_day on accounting.bank_line (tenant_id, account_id, day, line_id);

-- A part of a line explained by a part of what an entry does to the account. Undone by a time, never deleted.
create table accounting.bank_match (
  tenant_id uuid not null references accounting.book,
  match_id uuid not null,
  line_id uuid not null,
  entry_id uuid not null,
  amount bigint not null check (amount <> 0),
  matched_at timestamptz not null default clock_timestamp(),
  undone_at timestamptz,
  primary key (tenant_id, match_id),
  foreign key (tenant_id, line_id) references accounting.bank_line,
  foreign key (tenant_id, entry_id) references accounting.entry
);
create index bank_match_line on accounting.bank_match (tenant_id, line_id) where undone_at is null;
create index bank_match_entry on accounting.bank_match (tenant_id, entry_id) where undone_at is null;

-- Lines whose text holds these words go to this account: a suggestion, with the rule as its reason.
create table accounting.bank_rule (
  tenant_id uuid not null references accounting.book,
  rule_id uuid not null,
  contains text not null check (length(contains) between 2 and 200),
  direction text not null check (direction in ('in', 'out', 'any')),
  target_account_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  archived_at timestamptz,
  primary key (tenant_id, rule_id),
  foreign key (tenant_id, target_account_id) references accounting.account
);

-- A stretch of an account's statement that was agreed with the books, to the last unit.
create table accounting.reconciliation (
  tenant_id uuid not null references accounting.book,
  reconciliation_id uuid not null,
  account_id uuid not null,
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  opening bigint not null,
  closing bigint not null,
  completed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, reconciliation_id),
  unique (tenant_id, account_id, to_day),
  foreign key (tenant_id, account_id) references accounting.account
);

do $$
declare
  relation text;
begin
  foreach relation in array array['bank_statement', 'bank_line', 'bank_match', 'bank_rule', 'reconciliation'] loop
    execute format('alter table accounting.%I enable row level security', relation);
    execute format('alter table accounting.%I force row level security', relation);
    execute format($policy$create policy tenant on accounting.%I
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, relation);
    execute format('grant select, insert on accounting.%I to {{app}}', relation);
  end loop;
end
$$;
grant update (undone_at) on accounting.bank_match to {{app}};
grant update (archived_at) on accounting.bank_rule to {{app}};
