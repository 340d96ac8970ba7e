create schema checkout;
grant usage on schema checkout to {{app}}, {{job:audit_verifier}};

-- How a shop asks for tax. Without a row it is as the code says.
create table checkout.tax_setting (
  tenant_id uuid not null primary key,
  -- ISO 3166: where the business sells from.
  country text check (country ~ '^[A-Z]{2}$'),
  -- ISO 4217: prices in all others contain tax.
  prices_without_tax text[] not null check (cardinality(prices_without_tax) <= 200),
  reverse_charge boolean not null,
  version int not null default 1
);

create table checkout.tax_zone (
  tenant_id uuid not null,
  tax_zone_id uuid not null,
  name text not null check (length(name) between 1 and 100),
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- ISO 3166-2 without the country.
  region text check (region ~ '^[A-Z0-9]{1,3}$'),
  -- `35*`, `35000-35999`, `51001`; none: all.
  postcodes text[] not null default '{}' check (cardinality(postcodes) <= 500),
  -- Category, tax of the books and its percentage, which never changes there. What is in JSON is checked by the tables, because carts and checkouts read it.
  rates jsonb not null check (jsonb_typeof(rates) = 'array' and jsonb_array_length(rates) = jsonb_array_length(jsonb_path_query_array(rates,
    'strict $[*] ? (@.category.type() == "string" && @.percentage like_regex "^[0-9]{1,3}([.][0-9]{1,4})?$"
      && (@.taxId == null || @.taxId like_regex "^[0-9a-f-]{36}$"))'))),
  version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  archived_at timestamptz,
  primary key (tenant_id, tax_zone_id)
);
create index tax_zone_by_country on checkout.tax_zone (tenant_id, country, tax_zone_id) where archived_at is null;
create unique index tax_zone_place on checkout.tax_zone (tenant_id, country, coalesce(region, ''))
  where archived_at is null and cardinality(postcodes) = 0;

create table checkout.shipping_zone (
  tenant_id uuid not null,
  shipping_zone_id uuid not null,
  name text not null check (length(name) between 1 and 100),
  -- Country, region and postcodes of each.
  places jsonb not null check (jsonb_typeof(places) = 'array' and jsonb_array_length(places) = jsonb_array_length(jsonb_path_query_array(places,
    'strict $[*] ? (@.country like_regex "^[A-Z]{2}$" && (@.region == null || @.region.type() == "string") && @.postcodes.type() == "array")'))
    and not jsonb_path_exists(places, 'strict $[*].postcodes[*] ? (@.type() != "string")')),
  -- Of the places, to find the zones of an address.
  countries text[] not null check (cardinality(countries) between 1 and 300),
  version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  archived_at timestamptz,
  primary key (tenant_id, shipping_zone_id)
);

create table checkout.shipping_option (
  tenant_id uuid not null,
  shipping_option_id uuid not null,
  -- Null: a pickup that is offered to every address.
  shipping_zone_id uuid,
  name text not null check (length(name) between 1 and 100),
  kind text not null check (kind in ('flat', 'by_weight', 'by_price', 'pickup')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Minor units; of brackets each has its own.
  amount bigint check (amount >= 0),
  brackets jsonb check (jsonb_typeof(brackets) = 'array' and jsonb_array_length(brackets) = jsonb_array_length(jsonb_path_query_array(brackets,
    'strict $[*] ? (@.from like_regex "^[0-9]{1,15}$" && (@.to == null || @.to like_regex "^[0-9]{1,15}$") && @.amount like_regex "^[0-9]{1,15}$")'))),
  -- Minor units of the price after discounts of products and of the order.
  free_from bigint check (free_from >= 0),
  -- A location of the stock; components do not refer to each other's tables.
  location_id uuid,
  min_days int check (min_days between 0 and 365),
  max_days int check (max_days between min_days and 365),
  tax_category text not null check (length(tax_category) between 1 and 40),
  active boolean not null default true,
  position int not null default 0 check (position between 0 and 10000),
  version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  archived_at timestamptz,
  primary key (tenant_id, shipping_option_id),
  foreign key (tenant_id, shipping_zone_id) references checkout.shipping_zone (tenant_id, shipping_zone_id),
  check ((kind in ('flat', 'pickup')) = (amount is not null)),
  check ((kind in ('by_weight', 'by_price')) = (brackets is not null)),
  check ((kind = 'pickup') = (location_id is not null)),
  check (kind = 'pickup' or shipping_zone_id is not null)
);
create index shipping_option_by_zone on checkout.shipping_option (tenant_id, shipping_zone_id) where archived_at is null;

create table checkout.discount (
  tenant_id uuid not null,
  discount_id uuid not null,
  name text not null check (length(name) between 1 and 100),
  -- As people write it, and one spelling of it; null: automatic.
  code text check (length(code) between 1 and 64),
  code_key text check (length(code_key) between 1 and 256),
  kind text not null check (kind in ('percentage', 'fixed_amount', 'free_shipping', 'buy_x_get_y')),
  applies_to text check (applies_to in ('products', 'order')),
  percentage numeric(7, 4) check (percentage > 0 and percentage <= 100),
  -- Minor units by currency.
  amounts jsonb check (jsonb_typeof(amounts) = 'object' and not jsonb_path_exists(amounts, 'strict $.keyvalue() ? (!(@.key like_regex "^[A-Z]{3}$") || @.value.type() != "string" || !(@.value like_regex "^[0-9]{1,15}$"))')),
  -- What it lowers; of both empty, everything.
  product_ids uuid[] not null default '{}' check (cardinality(product_ids) <= 500),
  collection_ids uuid[] not null default '{}' check (cardinality(collection_ids) <= 500),
  buy_quantity int check (buy_quantity >= 1),
  buy_product_ids uuid[] not null default '{}' check (cardinality(buy_product_ids) <= 500),
  buy_collection_ids uuid[] not null default '{}' check (cardinality(buy_collection_ids) <= 500),
  get_quantity int check (get_quantity >= 1),
  times_per_order int check (times_per_order >= 1),
  minimum_amounts jsonb not null default '{}' check (jsonb_typeof(minimum_amounts) = 'object' and not jsonb_path_exists(minimum_amounts, 'strict $.keyvalue() ? (!(@.key like_regex "^[A-Z]{3}$") || @.value.type() != "string" || !(@.value like_regex "^[0-9]{1,15}$"))')),
  minimum_quantity int check (minimum_quantity >= 1),
  usage_limit int check (usage_limit >= 1),
  usage_limit_per_buyer int check (usage_limit_per_buyer >= 1),
  used int not null default 0 check (used >= 0),
  starts_at timestamptz,
  ends_at timestamptz check (ends_at > starts_at),
  -- Brands of the portal; none: all.
  brand_ids uuid[] not null default '{}' check (cardinality(brand_ids) <= 50),
  combines_with text[] not null default '{}' check (combines_with <@ array['product', 'order', 'shipping']),
  active boolean not null default true,
  version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  archived_at timestamptz,
  primary key (tenant_id, discount_id),
  check ((code is null) = (code_key is null)),
  check ((kind in ('percentage', 'fixed_amount')) = (applies_to is not null)),
  check ((kind in ('percentage', 'buy_x_get_y')) = (percentage is not null)),
  check ((kind = 'fixed_amount') = (amounts is not null)),
  check ((kind = 'buy_x_get_y') = (buy_quantity is not null and get_quantity is not null))
);
create unique index discount_by_code on checkout.discount (tenant_id, code_key) where archived_at is null;
create index discount_automatic on checkout.discount (tenant_id, discount_id) where archived_at is null and code_key is null;

-- Each use by an order or checkout, once; it goes when that is cancelled.
create table checkout.discount_use (
  tenant_id uuid not null,
  discount_id uuid not null,
  use_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  -- SHA-256 of the buyer's e-mail address.
  buyer bytea not null check (octet_length(buyer) = 32),
  used_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, use_id, discount_id),
  foreign key (tenant_id, discount_id) references checkout.discount (tenant_id, discount_id)
);
create index discount_use_by_buyer on checkout.discount_use (tenant_id, discount_id, mode, buyer);

do $$
declare name text;
begin
  foreach name in array array['tax_setting', 'tax_zone', 'shipping_zone', 'shipping_option', 'discount', 'discount_use'] loop
    execute format('alter table checkout.%I enable row level security', name);
    execute format('alter table checkout.%I force row level security', name);
    execute format($policy$create policy tenant on checkout.%I to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
  end loop;
  -- Whoever verifies compares them, as a whole, with the audit log; who used which discount is no part of it.
  foreach name in array array['tax_setting', 'tax_zone', 'shipping_zone', 'shipping_option', 'discount'] loop
    execute format('create policy verifier on checkout.%I for select to {{job:audit_verifier}} using (true)', name);
    execute format('grant select on checkout.%I to {{job:audit_verifier}}', name);
  end loop;
end $$;

grant select, insert on checkout.tax_setting, checkout.tax_zone, checkout.shipping_zone, checkout.shipping_option, checkout.discount,
  checkout.discount_use to {{app}};
grant update (country, prices_without_tax, reverse_charge, version) on checkout.tax_setting to {{app}};
grant update (name, country, region, postcodes, rates, version, updated_at, archived_at) on checkout.tax_zone to {{app}};
grant update (name, places, countries, version, updated_at, archived_at) on checkout.shipping_zone to {{app}};
grant update (name, amount, brackets, free_from, location_id, min_days, max_days, tax_category, active, position, version, updated_at,
  archived_at) on checkout.shipping_option to {{app}};
grant update (name, code, code_key, applies_to, percentage, amounts, product_ids, collection_ids, buy_quantity, buy_product_ids,
  buy_collection_ids, get_quantity, times_per_order, minimum_amounts, minimum_quantity, usage_limit, usage_limit_per_buyer, used,
  starts_at, ends_at, brand_ids, combines_with, active, version, updated_at, archived_at) on checkout.discount to {{app}};
-- Whose use it was goes with the person.
grant update (buyer), delete on checkout.discount_use to {{app}};
