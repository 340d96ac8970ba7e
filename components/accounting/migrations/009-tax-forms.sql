-- How a payment was made: what goes by card or a payment network is reported by those (Form 1099-K), not by the payer.
alter table accounting.payment add column method text not null default 'transfer'
  check (method in ('transfer', 'check', 'cash', 'card', 'network', 'other'));

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
alter table accounting.taxpayer enable row level security;
alter table accounting.taxpayer force row level security;
create policy tenant on accounting.taxpayer
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select, insert, update on accounting.taxpayer to {{app}};
