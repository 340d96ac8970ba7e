-- Products that a shop shows together, and that discounts name.
create table catalogue.collection (
  tenant_id uuid not null,
  collection_id uuid not null,
  -- What names it in addresses of pages.
  handle text not null check (handle ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(handle) <= 120),
  title text not null check (length(title) between 1 and 255),
  -- Markdown.
  description text not null default '' check (length(description) <= 20000),
  -- Whether a product meets all rules or any. Null, as the rules: its products are chosen by hand.
  match text check (match in ('all', 'any')),
  -- Objects of `field`, `operator`, `value` and, of prices, `currency`; the value of a price is minor units.
  rules jsonb check (jsonb_typeof(rules) = 'array' and jsonb_array_length(rules) between 1 and 20 and jsonb_array_length(rules) =
    jsonb_array_length(jsonb_path_query_array(rules, 'strict $[*] ? (@.field.type() == "string" && @.operator.type() == "string" && @.value.type() == "string")'))
    and jsonb_array_length(jsonb_path_query_array(rules, 'lax $[*] ? (@.field == "price")')) = jsonb_array_length(jsonb_path_query_array(rules,
      'lax $[*] ? (@.field == "price" && @.value like_regex "^[0-9]{1,15}$" && @.currency like_regex "^[A-Z]{3}$")'))),
  -- Brands whose pages show it.
  brand_ids uuid[] not null default '{}' check (cardinality(brand_ids) <= 100),
  version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  archived_at timestamptz,
  primary key (tenant_id, collection_id),
  check ((match is null) = (rules is null))
);
create unique index collection_handle on catalogue.collection (tenant_id, handle) where archived_at is null;

-- What is in a collection; of one by rules, what its rules say of the products as they are.
create table catalogue.collection_product (
  tenant_id uuid not null,
  collection_id uuid not null,
  product_id uuid not null,
  -- By hand: its place. By rules all have 0, and the newest comes first.
  position int not null check (position between 0 and 999),
  primary key (tenant_id, collection_id, product_id),
  foreign key (tenant_id, collection_id) references catalogue.collection (tenant_id, collection_id),
  foreign key (tenant_id, product_id) references catalogue.product (tenant_id, product_id)
);
create index collection_product_in_order on catalogue.collection_product (tenant_id, collection_id, position, product_id desc);
create index collection_product_by_product on catalogue.collection_product (tenant_id, product_id);

do $$
declare name text;
begin
  foreach name in array array['collection', 'collection_product'] loop
    execute format('alter table catalogue.%I enable row level security', name);
    execute format('alter table catalogue.%I force row level security', name);
    execute format($policy$create policy tenant on catalogue.%I to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    execute format('create policy verifier on catalogue.%I for select to {{job:audit_verifier}} using (true)', name);
  end loop;
end $$;

grant select, insert on catalogue.collection to {{app}};
grant update (handle, title, description, match, rules, brand_ids, version, updated_at, archived_at) on catalogue.collection to {{app}};
grant select, insert, delete on catalogue.collection_product to {{app}};

-- For whoever verifies that they stand in the audit log.
grant select on catalogue.collection, catalogue.collection_product to {{job:audit_verifier}};
