create schema catalogue;
grant usage on schema catalogue to {{app}}, {{job:audit_verifier}};

create table catalogue.product (
  tenant_id uuid not null,
  product_id uuid not null,
  -- What names it in addresses of pages.
  handle text not null check (handle ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(handle) <= 120),
  title text not null check (length(title) between 1 and 255),
  -- Markdown.
  description text not null default '' check (length(description) <= 20000),
  vendor text check (length(vendor) between 1 and 255),
  product_type text check (length(product_type) between 1 and 255),
  tags text[] not null default '{}' check (cardinality(tags) <= 100),
  status text not null check (status in ('draft', 'active', 'archived')),
  tax_category text not null check (tax_category ~ '^[a-z][a-z0-9_]{0,39}$'),
  -- Names of the options in their order; each variant has a value for each.
  options text[] not null default '{}' check (cardinality(options) <= 5),
  custom jsonb not null default '{}' check (octet_length(custom::text) <= 65536),
  -- Counts changes of the product and of its variants and prices.
  version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, product_id)
);
create unique index product_handle on catalogue.product (tenant_id, handle);
create index product_by_status on catalogue.product (tenant_id, status, product_id desc);

create table catalogue.variant (
  tenant_id uuid not null,
  variant_id uuid not null,
  product_id uuid not null,
  position int not null check (position between 0 and 999),
  option_values text[] not null check (cardinality(option_values) <= 5),
  sku text check (length(sku) between 1 and 100),
  barcode text check (length(barcode) between 1 and 100),
  weight_grams int check (weight_grams between 0 and 100000000),
  requires_shipping boolean not null,
  -- It was taken off the product: orders and stock may still name it.
  removed_at timestamptz,
  primary key (tenant_id, variant_id),
  foreign key (tenant_id, product_id) references catalogue.product (tenant_id, product_id)
);
create index variant_by_product on catalogue.variant (tenant_id, product_id, position);
create unique index variant_options on catalogue.variant (tenant_id, product_id, option_values) where removed_at is null;
create index variant_by_sku on catalogue.variant (tenant_id, sku) where sku is not null and removed_at is null;

create table catalogue.price (
  tenant_id uuid not null,
  variant_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- From this quantity on.
  min_quantity int not null check (min_quantity between 1 and 1000000),
  -- Minor units for one.
  amount bigint not null check (amount >= 0),
  -- What it was before, struck through.
  compare_at bigint check (compare_at > amount),
  primary key (tenant_id, variant_id, currency, min_quantity),
  foreign key (tenant_id, variant_id) references catalogue.variant (tenant_id, variant_id)
);

create table catalogue.publication (
  tenant_id uuid not null,
  -- A brand of the portal's; checked when it is set, because components do not refer to each other's tables.
  brand_id uuid not null,
  product_id uuid not null,
  published_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, brand_id, product_id),
  foreign key (tenant_id, product_id) references catalogue.product (tenant_id, product_id)
);
create index publication_by_product on catalogue.publication (tenant_id, product_id);

-- What a product is found by: an index that is made of it, compared by bytes. A text search index would not be used under row-level security,
-- for its operator may reveal what it is given.
create table catalogue.product_term (
  tenant_id uuid not null,
  field text not null check (field in ('word', 'tag', 'type', 'vendor', 'sku', 'option')),
  value text collate "C" not null,
  product_id uuid not null,
  -- Of an option: the variants that have this value of it.
  variant_ids uuid[] check (cardinality(variant_ids) <= 1000),
  primary key (tenant_id, field, value, product_id),
  foreign key (tenant_id, product_id) references catalogue.product (tenant_id, product_id)
);
create index product_term_by_product on catalogue.product_term (tenant_id, product_id);
-- What is counted of products that a list holds.
create index product_term_counted on catalogue.product_term (tenant_id, product_id, field, value)
  where field in ('tag', 'type', 'vendor', 'option');

-- What a word is found by that is not written as products write it: each word of a product's with up to two of its first letters left out.
create table catalogue.spelling (
  tenant_id uuid not null,
  -- What is left of it.
  part text collate "C" not null,
  -- How many letters the word has.
  letters int not null check (letters between 3 and 64),
  word text collate "C" not null,
  -- Which product it was first a word of, so that two that are written at once never wait for each other.
  product_id uuid not null,
  primary key (tenant_id, part, letters, word, product_id),
  foreign key (tenant_id, product_id) references catalogue.product (tenant_id, product_id)
);

do $$
declare name text;
begin
  foreach name in array array['product', 'variant', 'price', 'publication', 'product_term', 'spelling'] loop
    execute format('alter table catalogue.%I enable row level security', name);
    execute format('alter table catalogue.%I force row level security', name);
    execute format($policy$create policy tenant on catalogue.%I to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    execute format('create policy verifier on catalogue.%I for select to {{job:audit_verifier}} using (true)', name);
  end loop;
end $$;

grant select, insert on catalogue.product, catalogue.variant to {{app}};
grant select, insert, delete on catalogue.price, catalogue.publication, catalogue.product_term, catalogue.spelling to {{app}};
grant update (handle, title, description, vendor, product_type, tags, status, tax_category, options, custom, version, updated_at)
  on catalogue.product to {{app}};
grant update (position, option_values, sku, barcode, weight_grams, requires_shipping, removed_at) on catalogue.variant to {{app}};
grant update (amount, compare_at) on catalogue.price to {{app}};

-- For whoever verifies that they stand in the audit log.
grant select on catalogue.product, catalogue.variant, catalogue.price, catalogue.publication, catalogue.product_term, catalogue.spelling to {{job:audit_verifier}};
