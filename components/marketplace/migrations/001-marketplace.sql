create schema marketplace;
grant usage on schema marketplace to {{app}}, {{job:marketplace}}, {{job:audit_verifier}};

-- A shop at a marketplace that an organization sells in.
create table marketplace.channel (
  tenant_id uuid not null,
  channel_id uuid not null,
  provider text not null check (provider = 'shopify'),
  -- As the provider names it: `one.myshopify.com`.
  shop text collate "C" not null check (shop ~ '^[a-z0-9][a-z0-9-]*\.myshopify\.com$' and length(shop) <= 200),
  name text not null check (length(name) between 1 and 200),
  -- Brands and locations are others': ids without foreign keys.
  brand_id uuid not null,
  -- Where its stock is.
  location_id uuid not null,
  -- Which side says how much there is: none, the two are counted apart.
  stock text not null default 'none' check (stock in ('none', 'shop', 'here')),
  -- The location of the shop whose stock is that of the location here, as the shop names it.
  shop_location text collate "C" check (shop_location ~ '^[0-9]{1,25}$'),
  -- Those in use, as the shop named them last: `[{"id", "name"}]`.
  shop_locations jsonb not null default '[]' check (jsonb_typeof(shop_locations) = 'array'),
  status text not null check (status in ('connected', 'disconnected')),
  -- Sealed: what its API is called with. Null: it is not connected.
  token text check (length(token) <= 16384),
  -- When its webhooks were registered.
  webhooks_at timestamptz,
  version int not null default 1 check (version >= 1),
  -- The last time.
  connected_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, channel_id),
  unique (tenant_id, provider, shop),
  check ((status = 'connected') = (token is not null)),
  check (stock = 'none' or shop_location is not null)
);
-- An index and no constraint of the tenant's: whose an event of a shop is, is found by it, so a shop leads to one organization.
create unique index channel_of_shop on marketplace.channel (provider, shop) where status = 'connected';
create index channel_by_shop on marketplace.channel (provider, shop);

-- What a thing of a shop is here: products and their variants.
create table marketplace.link (
  tenant_id uuid not null,
  channel_id uuid not null,
  kind text not null check (kind in ('product', 'variant')),
  -- As the shop names it.
  external_id text collate "C" not null check (length(external_id) between 1 and 200),
  -- Products and variants are the catalogue's: ids without foreign keys.
  id uuid not null,
  product_id uuid not null,
  -- Of a product: as the shop last changed it.
  external_updated_at timestamptz,
  primary key (tenant_id, channel_id, kind, external_id),
  foreign key (tenant_id, channel_id) references marketplace.channel (tenant_id, channel_id)
);
create index link_by_id on marketplace.link (tenant_id, kind, id);

-- What a shop counts of a variant: where its stock and ours are compared, and what came of it.
create table marketplace.inventory (
  tenant_id uuid not null,
  channel_id uuid not null,
  -- The shop's inventory item.
  external_id text collate "C" not null check (external_id ~ '^[0-9]{1,25}$'),
  variant_id uuid not null,
  -- How many the shop had to sell at its location when the two were last the same; null: not yet.
  known bigint,
  -- When they are compared next, if the channel keeps them in step.
  due_at timestamptz not null default clock_timestamp(),
  -- Why they are not the same, where it is not a matter of time.
  attention text check (attention in ('gone', 'not_stocked', 'several_items', 'refused')),
  primary key (tenant_id, channel_id, external_id),
  foreign key (tenant_id, channel_id) references marketplace.channel (tenant_id, channel_id)
);
create index inventory_due on marketplace.inventory (tenant_id, channel_id, due_at);
create index inventory_of_variant on marketplace.inventory (tenant_id, variant_id);
create index inventory_to_look_at on marketplace.inventory (tenant_id, channel_id) where attention is not null;

-- An order of a shop, and what it became here. Once: its checkout is derived from these names, and a checkout becomes one order.
create table marketplace.imported_order (
  tenant_id uuid not null,
  channel_id uuid not null,
  external_id text collate "C" not null check (length(external_id) between 1 and 200),
  -- As people in the shop read it.
  external_name text not null check (length(external_name) between 1 and 100),
  order_id uuid not null,
  -- The shop's id of the buyer; it goes with the person.
  external_customer_id text collate "C" check (length(external_customer_id) <= 200),
  -- As the shop last changed it: what is older changes nothing.
  external_updated_at timestamptz not null,
  -- In what the order here differs from the shop's, and a person should look at.
  attention text[] not null default '{}',
  primary key (tenant_id, channel_id, external_id),
  unique (tenant_id, order_id),
  foreign key (tenant_id, channel_id) references marketplace.channel (tenant_id, channel_id)
);
create index imported_order_by_customer on marketplace.imported_order (tenant_id, channel_id, external_customer_id) where external_customer_id is not null;
create index imported_order_to_look_at on marketplace.imported_order (tenant_id, channel_id) where attention <> '{}';

-- What is to be done once a shop is connected, page by page: whoever goes on after a crash begins where the last page ended. Of stock: what is due is
-- compared, again and again.
create table marketplace.task (
  tenant_id uuid not null,
  channel_id uuid not null,
  kind text not null check (kind in ('webhooks', 'products', 'orders', 'stock')),
  state text not null default 'due' check (state in ('due', 'done', 'failed')),
  -- Where the next page begins, as the shop says it; of stock: when the newest order was changed that is known here.
  cursor text check (length(cursor) <= 2000),
  done int not null default 0 check (done >= 0),
  failed int not null default 0 check (failed >= 0),
  -- As the shop counted them when it began; null: not yet.
  total int check (total >= 0),
  last_error text check (length(last_error) <= 1000),
  -- In vain, since the last page.
  attempts int not null default 0 check (attempts >= 0),
  next_at timestamptz default clock_timestamp(),
  -- Until then a process is at it.
  leased_until timestamptz,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, channel_id, kind),
  foreign key (tenant_id, channel_id) references marketplace.channel (tenant_id, channel_id),
  check ((state = 'due') = (next_at is not null))
);
create index task_due on marketplace.task (next_at) where state = 'due';

-- Buyers of a shop who ask what is known of them, until they are answered; by ids alone.
create table marketplace.data_request (
  tenant_id uuid not null,
  request_id uuid not null,
  channel_id uuid not null,
  contact_id uuid,
  order_ids uuid[] not null,
  requested_at timestamptz not null default clock_timestamp(),
  answered_at timestamptz,
  primary key (tenant_id, request_id),
  foreign key (tenant_id, channel_id) references marketplace.channel (tenant_id, channel_id)
);
create index data_request_open on marketplace.data_request (tenant_id, channel_id, request_id) where answered_at is null;

-- Shops that installed the app and that no organization has claimed yet. The token is sealed by a key that is made of the code that the browser was
-- shown, which is kept nowhere. Nobody's, so its tenant is the nil UUID.
create table marketplace.installation (
  tenant_id uuid not null check (tenant_id = '00000000-0000-0000-0000-000000000000'),
  code_sha256 bytea not null check (octet_length(code_sha256) = 32),
  shop text not null,
  sealed bytea not null check (octet_length(sealed) <= 16384),
  expires_at timestamptz not null,
  primary key (tenant_id, code_sha256)
);
create index installation_by_end on marketplace.installation (expires_at);

-- States of installations that came back once.
create table marketplace.used_state (
  tenant_id uuid not null check (tenant_id = '00000000-0000-0000-0000-000000000000'),
  state_sha256 bytea not null check (octet_length(state_sha256) = 32),
  expires_at timestamptz not null,
  primary key (tenant_id, state_sha256)
);
create index used_state_by_end on marketplace.used_state (expires_at);

do $$
declare
  relation text;
begin
  foreach relation in array array['channel', 'link', 'inventory', 'imported_order', 'task', 'data_request', 'installation', 'used_state'] loop
    execute format('alter table marketplace.%I enable row level security', relation);
    execute format('alter table marketplace.%I force row level security', relation);
    execute format($policy$create policy tenant on marketplace.%I to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, relation);
    execute format('create policy job on marketplace.%I to {{job:marketplace}} using (true) with check (true)', relation);
  end loop;
end
$$;
create policy verifier on marketplace.channel for select to {{job:audit_verifier}} using (true);
grant select, insert on marketplace.channel to {{app}};
grant update (name, brand_id, location_id, stock, shop_location, shop_locations, status, token, webhooks_at, version, connected_at, updated_at) on marketplace.channel to {{app}};
grant select on marketplace.channel to {{job:marketplace}};
grant select, insert, delete on marketplace.installation, marketplace.used_state to {{job:marketplace}};
grant select (tenant_id, channel_id, provider, shop, name, brand_id, location_id, stock, shop_location, status, version, connected_at, created_at, updated_at) on marketplace.channel
  to {{job:audit_verifier}};
create policy verifier on marketplace.imported_order for select to {{job:audit_verifier}} using (true);
grant select, insert, update on marketplace.link, marketplace.inventory, marketplace.imported_order, marketplace.task, marketplace.data_request to {{app}};
grant select, update (leased_until) on marketplace.task to {{job:marketplace}};
grant select (tenant_id, channel_id, external_id, order_id) on marketplace.imported_order to {{job:audit_verifier}};
