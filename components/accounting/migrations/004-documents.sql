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
  primary key (tenant_id, party_id),
  check (customer or supplier)
);

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
    and issued_at is not null and total > 0))
);
create index document_party on accounting.document (tenant_id, party_id, document_id);
create index document_created on accounting.document (tenant_id, created_at, document_id);
-- A supplier's number is used once by that supplier, however it is spelled.
create unique index document_supplier_number on accounting.document (tenant_id, party_id, kind, lower(supplier_number))
  where supplier_number is not null and status <> 'void';

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

do $$
declare
  relation text;
begin
  foreach relation in array array['party', 'tax', 'document', 'document_line'] loop
    execute format('alter table accounting.%I enable row level security', relation);
    execute format('alter table accounting.%I force row level security', relation);
    execute format($policy$create policy tenant on accounting.%I
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, relation);
    execute format('grant select, insert on accounting.%I to {{app}}', relation);
  end loop;
end
$$;
grant update (name, email, customer, supplier, currency, terms_days, tax_id_last4, archived_at) on accounting.party to {{app}};
grant update (name, archived_at) on accounting.tax to {{app}};
grant update on accounting.document to {{app}};
grant delete on accounting.document_line to {{app}};

-- Drafts change; what was issued is only ever voided.
create function accounting.refuse_document_change() returns trigger language plpgsql set search_path = accounting, pg_temp as $$
begin
  if old.status = 'draft' and new.kind = old.kind then
    return new;
  end if;
  if old.status = 'issued' and new.status = 'void'
    and to_jsonb(new) - array['status', 'version'] = to_jsonb(old) - array['status', 'version'] then
    return new;
  end if;
  raise exception 'a document that is % is not changed', old.status using errcode = '42501';
end
$$;
create trigger issued before update on accounting.document
  for each row execute function accounting.refuse_document_change();

create function accounting.refuse_line_change() returns trigger language plpgsql set search_path = accounting, pg_temp as $$
declare
  v_document uuid := case tg_op when 'INSERT' then new.document_id else old.document_id end;
  v_tenant uuid := case tg_op when 'INSERT' then new.tenant_id else old.tenant_id end;
begin
  perform from document where tenant_id = v_tenant and document_id = v_document and status = 'draft' for no key update;
  if not found then
    raise exception 'lines of a document change while it is a draft' using errcode = '42501';
  end if;
  return case tg_op when 'INSERT' then new else old end;
end
$$;
create trigger issued before insert or delete on accounting.document_line
  for each row execute function accounting.refuse_line_change();
