-- Prices that hold for a time: where one is lower than the ordinary price, buyers pay it.
create table catalogue.price_list (
  tenant_id uuid not null,
  price_list_id uuid not null,
  name text not null check (length(name) between 1 and 100),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Null: all brands. Checked when it is set, because components do not refer to each other's tables.
  brand_id uuid,
  starts_at timestamptz not null,
  -- From then on it holds no more. Null: it holds until it is given an end.
  ends_at timestamptz check (ends_at > starts_at),
  -- Counts changes of the list and of its prices.
  version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, price_list_id)
);

create table catalogue.price_list_price (
  tenant_id uuid not null,
  price_list_id uuid not null,
  variant_id uuid not null,
  -- From this quantity on.
  min_quantity int not null check (min_quantity between 1 and 1000000),
  -- Minor units for one, in the currency of the list.
  amount bigint not null check (amount >= 0),
  primary key (tenant_id, variant_id, price_list_id, min_quantity),
  foreign key (tenant_id, price_list_id) references catalogue.price_list (tenant_id, price_list_id),
  foreign key (tenant_id, variant_id) references catalogue.variant (tenant_id, variant_id)
);
create index price_list_price_by_list on catalogue.price_list_price (tenant_id, price_list_id, variant_id);

do $$
declare name text;
begin
  foreach name in array array['price_list', 'price_list_price'] loop
    execute format('alter table catalogue.%I enable row level security', name);
    execute format('alter table catalogue.%I force row level security', name);
    execute format($policy$create policy tenant on catalogue.%I to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    execute format('create policy verifier on catalogue.%I for select to {{job:audit_verifier}} using (true)', name);
  end loop;
end $$;

grant select, insert on catalogue.price_list to {{app}};
grant update (name, brand_id, starts_at, ends_at, version, updated_at) on catalogue.price_list to {{app}};
grant select, insert, delete on catalogue.price_list_price to {{app}};

-- For whoever verifies that they stand in the audit log.
grant select on catalogue.price_list, catalogue.price_list_price to {{job:audit_verifier}};
