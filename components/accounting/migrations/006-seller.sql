-- Who sells and who buys, as the law wants invoices to say it. Addresses are as they are printed, a line each.
create table accounting.seller (
  tenant_id uuid primary key references accounting.book,
  -- The organization's own where it is null.
  name text check (length(name) between 1 and 200),
  address text check (length(address) between 1 and 500),
  vat_number text check (vat_number ~ '^[0-9A-Za-z][0-9A-Za-z .-]{0,18}[0-9A-Za-z]$'),
  registration text check (length(registration) between 1 and 200)
);
alter table accounting.seller enable row level security;
alter table accounting.seller force row level security;
create policy tenant on accounting.seller
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy verifier on accounting.seller for select to {{job:audit_verifier}} using (true);
grant select, insert on accounting.seller to {{app}};
grant update (name, address, vat_number, registration) on accounting.seller to {{app}};
grant select on accounting.seller to {{job:audit_verifier}};

alter table accounting.party add column address text check (length(address) between 1 and 500);
alter table accounting.party add column vat_number text check (vat_number ~ '^[0-9A-Za-z][0-9A-Za-z .-]{0,18}[0-9A-Za-z]$');
grant update (address, vat_number) on accounting.party to {{app}};

-- As they were when the document was issued. Of a draft the buyer's say what an order said; the others are null. Those of an order may be longer.
alter table accounting.document add column seller_name text check (length(seller_name) between 1 and 200);
alter table accounting.document add column seller_address text check (length(seller_address) <= 500);
alter table accounting.document add column seller_vat_number text check (length(seller_vat_number) <= 20);
alter table accounting.document add column seller_registration text check (length(seller_registration) <= 200);
alter table accounting.document add column buyer_name text check (length(buyer_name) between 1 and 200);
alter table accounting.document add column buyer_address text check (length(buyer_address) between 1 and 1200);
alter table accounting.document add column buyer_vat_number text check (length(buyer_vat_number) between 1 and 40);
alter table accounting.document add constraint document_sold check (kind in ('invoice', 'credit_note')
  or num_nonnulls(seller_name, seller_address, seller_vat_number, seller_registration, buyer_name, buyer_address, buyer_vat_number) = 0);
grant update (seller_name, buyer_name, buyer_address, buyer_vat_number) on accounting.document to {{app}};
-- What is issued takes them from there.
grant select on accounting.seller, accounting.party to {{job:ledger}};
