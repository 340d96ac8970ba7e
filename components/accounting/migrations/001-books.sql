create schema accounting;
grant usage on schema accounting to {{app}}, {{job:ledger}}, {{job:accounting_erasure}}, {{job:audit_verifier}};

-- Minor digits of the currencies of ISO 4217, as of 2026-01-01; null for what is none or has no minor unit. The kernel has the
-- same list, and a test holds the two together. It stands with the tables, because they check by it.
create function accounting.minor_digits(p_currency text) returns int language sql immutable parallel safe as $$
  select case
    when p_currency = any ('{
      BIF,CLP,DJF,GNF,ISK,JPY,KMF,KRW,PYG,RWF,UGX,UYI,VND,VUV,XAF,XOF,XPF}'::text[]) then 0
    when p_currency = any ('{
      AED,AFN,ALL,AMD,AOA,ARS,AUD,AWG,AZN,BAM,BBD,BDT,BMD,BND,BOB,BOV,BRL,BSD,BTN,BWP,BYN,BZD,CAD,CDF,CHE,CHF,CHW,CNY,
      COP,COU,CRC,CUP,CVE,CZK,DKK,DOP,DZD,EGP,ERN,ETB,EUR,FJD,FKP,GBP,GEL,GHS,GIP,GMD,GTQ,GYD,HKD,HNL,HTG,HUF,IDR,ILS,
      INR,IRR,JMD,KES,KGS,KHR,KPW,KYD,KZT,LAK,LBP,LKR,LRD,LSL,MAD,MDL,MGA,MKD,MMK,MNT,MOP,MRU,MUR,MVR,MWK,MXN,MXV,MYR,
      MZN,NAD,NGN,NIO,NOK,NPR,NZD,PAB,PEN,PGK,PHP,PKR,PLN,QAR,RON,RSD,RUB,SAR,SBD,SCR,SDG,SEK,SGD,SHP,SLE,SOS,SRD,SSP,
      STN,SVC,SYP,SZL,THB,TJS,TMT,TOP,TRY,TTD,TWD,TZS,UAH,USD,USN,UYU,UZS,VED,VES,WST,XCD,XCG,YER,ZAR,ZMW,ZWG}'::text[]) then 2
    when p_currency = any ('{
      BHD,IQD,JOD,KWD,LYD,OMR,TND}'::text[]) then 3
    when p_currency = any ('{
      CLF,UYW}'::text[]) then 4
  end
$$;

create table accounting.book (
  tenant_id uuid primary key,
  base_currency text not null check (base_currency ~ '^[A-Z]{3}$'),
  fiscal_year_start_month int not null check (fiscal_year_start_month between 1 and 12),
  template text not null,
  opened_at timestamptz not null default clock_timestamp(),
  constraint book_iso_4217 check (accounting.minor_digits(base_currency) is not null)
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
  -- How it counts in the cash flow statement. `cash` is money itself: bank, cash in hand, what is on its way to the bank.
  activity text not null default 'operating' check (activity in ('cash', 'operating', 'investing', 'financing')),
  primary key (tenant_id, account_id),
  unique (tenant_id, code),
  constraint account_iso_4217 check (accounting.minor_digits(currency) is not null)
);
create unique index account_control on accounting.account (tenant_id, control) where control is not null;

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
  primary key (tenant_id, currency, day),
  constraint rate_iso_4217 check (accounting.minor_digits(currency) is not null)
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
  foreign key (tenant_id, reverses) references accounting.entry,
  constraint entry_iso_4217 check (accounting.minor_digits(currency) is not null)
);
create index entry_date on accounting.entry (tenant_id, posting_date, number);
create index entry_source on accounting.entry (tenant_id, source_id) where source_id is not null;
-- Books are opened once: the entry that opens them is looked for before another does.
create index entry_opening on accounting.entry (tenant_id, entry_id) where kind = 'opening';

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

-- Customers and suppliers, as far as the books need them.
create table accounting.party (
  tenant_id uuid not null references accounting.book,
  party_id uuid not null,
  name text not null check (length(name) between 1 and 200),
  email text check (length(email) between 3 and 254),
  customer boolean not null,
  supplier boolean not null,
  -- What documents of this party are in where nothing else is said.
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  terms_days int not null check (terms_days between 0 and 366),
  -- Never more of a taxpayer id than this.
  tax_id_last4 text check (tax_id_last4 ~ '^[0-9A-Za-z]{4}$'),
  created_at timestamptz not null default clock_timestamp(),
  archived_at timestamptz,
  -- The CRM's contact of the same person, by its id; it may have been merged since, or erased.
  contact_id uuid,
  name_key text collate "C" generated always as (lower(name)) stored,
  -- What contacts are suggested by.
  email_key text collate "C" generated always as (lower(email)) stored,
  -- When the person was erased: what is left is what the books need.
  erased_at timestamptz,
  -- What the log keeps of a party is a digest with this in it: from that alone nobody guesses a name or an address, and it is made anew
  -- where the person is erased, so that what was logged before leads nowhere.
  salt uuid not null default gen_random_uuid(),
  primary key (tenant_id, party_id),
  check (customer or supplier),
  constraint party_iso_4217 check (accounting.minor_digits(currency) is not null)
);
create index party_contact on accounting.party (tenant_id, contact_id) where contact_id is not null;
create index party_email on accounting.party (tenant_id, email_key) where email_key is not null;
-- Somebody who is added twice is found by these.
create index party_name on accounting.party (tenant_id, name_key);
create index party_tax_id on accounting.party (tenant_id, tax_id_last4) where tax_id_last4 is not null;

-- A percentage is never changed: lines that carry it must go on meaning what they meant. Another rate is another tax.
create table accounting.tax (
  tenant_id uuid not null references accounting.book,
  tax_id uuid not null,
  name text not null check (length(name) between 1 and 100),
  percentage numeric(7, 4) not null check (percentage between 0 and 100),
  sales_account_id uuid not null,
  -- Null: tax on purchases is not recovered, it is part of what was bought.
  purchase_account_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  archived_at timestamptz,
  primary key (tenant_id, tax_id),
  foreign key (tenant_id, sales_account_id) references accounting.account,
  foreign key (tenant_id, purchase_account_id) references accounting.account
);
create unique index tax_name on accounting.tax (tenant_id, lower(name)) where archived_at is null;

-- Invoices, bills and the credits of both.
create table accounting.document (
  tenant_id uuid not null references accounting.book,
  document_id uuid not null,
  kind text not null check (kind in ('invoice', 'credit_note', 'bill', 'supplier_credit')),
  status text not null default 'draft' check (status in ('draft', 'issued', 'void')),
  -- Counts changes, so that what is issued is what was seen.
  version int not null default 1,
  number bigint check (number > 0),
  party_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  issue_date date not null,
  due_date date not null check (due_date >= issue_date),
  -- Whether unit prices are without tax or with it.
  pricing text not null check (pricing in ('exclusive', 'inclusive')),
  supplier_number text check (length(supplier_number) between 1 and 100),
  reference text check (length(reference) <= 100),
  notes text check (length(notes) <= 2000),
  -- The document that this one takes back, where it takes back one.
  credits uuid,
  -- Minor units of the currency.
  net bigint not null,
  tax bigint not null,
  total bigint not null check (total = net + tax),
  -- As posted: base units for one unit, and the total in minor units of the base currency.
  rate numeric(30, 12),
  base_total bigint,
  entry_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  issued_at timestamptz,
  primary key (tenant_id, document_id),
  unique (tenant_id, kind, number),
  foreign key (tenant_id, party_id) references accounting.party,
  foreign key (tenant_id, credits) references accounting.document,
  foreign key (tenant_id, entry_id) references accounting.entry,
  check (status <> 'issued' or (number is not null and rate is not null and base_total is not null and entry_id is not null
    and issued_at is not null and total > 0)),
  constraint document_iso_4217 check (accounting.minor_digits(currency) is not null)
);
create index document_party on accounting.document (tenant_id, party_id, document_id);
create index document_created on accounting.document (tenant_id, created_at, document_id);
-- A supplier's number is used once by that supplier, however it is spelled.
create unique index document_supplier_number on accounting.document (tenant_id, party_id, kind, lower(supplier_number))
  where supplier_number is not null and status <> 'void';
create unique index document_entry on accounting.document (tenant_id, entry_id) where entry_id is not null;

create table accounting.document_line (
  tenant_id uuid not null references accounting.book,
  document_id uuid not null,
  line int not null check (line > 0),
  description text not null check (length(description) between 1 and 1000),
  quantity numeric(18, 6) not null check (quantity > 0),
  -- In units of the currency, not minor ones; below nothing for what is taken off.
  unit_price numeric(24, 6) not null,
  account_id uuid not null,
  tax_id uuid,
  percentage numeric(7, 4),
  net bigint not null,
  tax bigint not null,
  primary key (tenant_id, document_id, line),
  foreign key (tenant_id, document_id) references accounting.document,
  foreign key (tenant_id, account_id) references accounting.account,
  foreign key (tenant_id, tax_id) references accounting.tax,
  check ((tax_id is null) = (percentage is null) and (tax_id is not null or tax = 0))
);

-- The sub-ledger follows from the ledger. The application says what happened (a document issued or voided, a payment, an
-- allocation, what takes them back); triggers hold that to the entry it was posted by and write the open items. At its end a
-- transaction in which an entry of that sort is claimed by nothing fails. So control accounts and open items are equal by
-- construction: each entry that moves a control account belongs to exactly one row here, which moves the items by as much.
-- ==== 005-subledger.sql
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
  -- How it was made: what goes by card or a payment network is reported by those (Form 1099-K), not by the payer.
  method text not null default 'transfer' check (method in ('transfer', 'check', 'cash', 'card', 'network', 'other')),
  primary key (tenant_id, payment_id),
  unique (tenant_id, number),
  foreign key (tenant_id, party_id) references accounting.party,
  foreign key (tenant_id, account_id) references accounting.account,
  foreign key (tenant_id, entry_id) references accounting.entry,
  constraint payment_iso_4217 check (accounting.minor_digits(currency) is not null)
);
create unique index payment_entry on accounting.payment (tenant_id, entry_id);

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
create unique index allocation_entry on accounting.allocation (tenant_id, entry_id) where entry_id is not null;

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
create unique index revaluation_entry on accounting.revaluation (tenant_id, entry_id);

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

-- What a supplier's Form W-9 says. The number itself is sealed; four digits are shown.
create table accounting.taxpayer (
  tenant_id uuid not null references accounting.book,
  party_id uuid not null,
  status text not null check (status in ('requested', 'received', 'tin_matched', 'failed', 'expired')),
  status_on date not null,
  legal_name text check (length(legal_name) <= 200),
  classification text check (classification in
    ('individual', 'c_corporation', 's_corporation', 'partnership', 'trust_estate', 'llc_c', 'llc_s', 'llc_p', 'other')),
  tin_kind text check (tin_kind in ('ssn', 'ein')),
  tin_sealed bytea,
  tin_last4 text check (tin_last4 ~ '^\d{4}$'),
  -- Whether payments are reported at all, and in which box.
  eligible boolean not null default true,
  box text not null default 'nec_1' check (box in ('nec_1', 'misc_1', 'misc_2', 'misc_3', 'misc_6', 'misc_10')),
  primary key (tenant_id, party_id),
  foreign key (tenant_id, party_id) references accounting.party,
  check ((tin_sealed is null) = (tin_last4 is null) and (tin_sealed is null) = (tin_kind is null))
);

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
  foreign key (tenant_id, account_id) references accounting.account,
  constraint bank_statement_iso_4217 check (accounting.minor_digits(currency) is not null)
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
  -- Taken back by a time, the latest of an account first; then it may be made anew.
  undone_at timestamptz,
  primary key (tenant_id, reconciliation_id),
  foreign key (tenant_id, account_id) references accounting.account
);
create unique index reconciliation_day on accounting.reconciliation (tenant_id, account_id, to_day) where undone_at is null;

-- Files by their content, once a tenant.
create table accounting.blob (
  tenant_id uuid not null references accounting.book,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  content bytea not null check (octet_length(content) between 1 and 10485760),
  primary key (tenant_id, sha256),
  check (encode(sha256(content), 'hex') = sha256)
);
alter table accounting.blob alter column content set storage external;

-- What a file belongs to. Taken away by a time, never deleted: the audit log holds its hash.
create table accounting.attachment (
  tenant_id uuid not null references accounting.book,
  attachment_id uuid not null,
  target_kind text not null check (target_kind in ('entry', 'document', 'payment', 'bank_line')),
  target_id uuid not null,
  file_name text not null check (length(file_name) between 1 and 255),
  media_type text not null check (length(media_type) <= 100),
  bytes int not null check (bytes > 0),
  sha256 text not null,
  attached_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz,
  -- The log keeps a digest of the name with this in it, so that nobody guesses the name from the log once the row is erased.
  salt uuid not null default gen_random_uuid(),
  primary key (tenant_id, attachment_id),
  foreign key (tenant_id, sha256) references accounting.blob
);
create index attachment_target on accounting.attachment (tenant_id, target_id) where removed_at is null;
create index attachment_removed on accounting.attachment (tenant_id, target_id) where removed_at is not null;
create index attachment_content on accounting.attachment (tenant_id, sha256);

-- How many bytes of files a tenant has attached, kept as they come and go: what tells its quota reads one row.
create table accounting.attached (
  tenant_id uuid primary key references accounting.book,
  bytes bigint not null
);

do $$
declare
  relation text;
begin
  foreach relation in array array['book', 'account', 'period', 'rate', 'series', 'entry', 'entry_key', 'posting', 'balance', 'party', 'tax',
    'document', 'document_line', 'payment', 'item', 'allocation', 'revaluation', 'revaluation_item', 'taxpayer', 'bank_statement',
    'bank_line', 'bank_match', 'bank_rule', 'reconciliation', 'blob', 'attachment', 'attached'] loop
    execute format('alter table accounting.%I enable row level security', relation);
    execute format('alter table accounting.%I force row level security', relation);
    execute format($policy$create policy tenant on accounting.%I
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, relation);
    execute format('grant select on accounting.%I to {{app}}', relation);
  end loop;
end
$$;

-- What the application says itself. Nothing else of what was paid or allocated is ever changed, and nothing that was issued is deleted.
grant insert on accounting.book, accounting.account, accounting.rate, accounting.entry_key, accounting.party, accounting.tax,
  accounting.document, accounting.document_line, accounting.payment, accounting.allocation, accounting.taxpayer,
  accounting.bank_statement, accounting.bank_line, accounting.bank_match, accounting.bank_rule, accounting.reconciliation,
  accounting.blob, accounting.attachment to {{app}};
grant update (name, archived_at) on accounting.account to {{app}};
grant update (rate) on accounting.rate to {{app}};
grant update (name, email, customer, supplier, currency, terms_days, tax_id_last4, archived_at, contact_id, erased_at, salt)
  on accounting.party to {{app}};
grant update (name, archived_at) on accounting.tax to {{app}};
grant update (status, version, number, party_id, currency, issue_date, due_date, pricing, supplier_number, reference, notes, credits,
  net, tax, total, rate, base_total, entry_id, issued_at) on accounting.document to {{app}};
grant delete on accounting.document_line to {{app}};
grant update (void_on) on accounting.payment to {{app}};
grant update (undone_on) on accounting.allocation to {{app}};
grant update on accounting.taxpayer to {{app}};
grant update (undone_at) on accounting.bank_match, accounting.reconciliation to {{app}};
grant update (archived_at) on accounting.bank_rule to {{app}};
grant update (removed_at) on accounting.attachment to {{app}};

-- The ledger is written by functions of this role only, which bears the tenant policy like everybody.
grant select on accounting.book, accounting.account, accounting.document, accounting.document_line, accounting.tax, accounting.payment,
  accounting.allocation, accounting.item, accounting.bank_statement, accounting.bank_line, accounting.bank_match,
  accounting.reconciliation to {{job:ledger}};
grant select, insert, update on accounting.period, accounting.series, accounting.balance to {{job:ledger}};
grant select, insert on accounting.entry, accounting.posting, accounting.revaluation, accounting.revaluation_item to {{job:ledger}};
grant insert, update (open_amount, open_base, moved_on, void_on) on accounting.item to {{job:ledger}};

-- What was never issued says things about a person that no law wants kept: it goes with whoever it is for, with its lines and files. The
-- application cannot delete documents or files: a function of this role does, in the transaction's tenant, and only of those who are erased.
grant select on accounting.party to {{job:accounting_erasure}};
-- A row is locked by whoever may update it.
grant select, update (version), delete on accounting.document to {{job:accounting_erasure}};
grant select, delete on accounting.document_line, accounting.attachment, accounting.blob to {{job:accounting_erasure}};
grant select, insert, update on accounting.attached to {{job:accounting_erasure}};

-- For whoever verifies that the books and what is reported of taxpayers say what the log tells of them, and that sums are those of what
-- they sum up.
do $$
declare
  relation text;
begin
  foreach relation in array array['book', 'account', 'period', 'rate', 'entry', 'posting', 'balance', 'party', 'tax', 'document',
    'document_line', 'payment', 'item', 'allocation', 'revaluation', 'revaluation_item', 'bank_statement', 'bank_line', 'bank_match',
    'bank_rule', 'reconciliation', 'taxpayer', 'series', 'attachment', 'blob', 'attached'] loop
    execute format('create policy verifier on accounting.%I for select to {{job:audit_verifier}} using (true)', relation);
    if relation not in ('book', 'period') then
      execute format('grant select on accounting.%I to {{job:audit_verifier}}', relation);
    end if;
  end loop;
end
$$;
grant select (tenant_id, base_currency, fiscal_year_start_month, template, opened_at) on accounting.book to {{job:audit_verifier}};
grant select (tenant_id, month, status, year_closed) on accounting.period to {{job:audit_verifier}};
