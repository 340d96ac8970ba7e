alter table marketplace.channel
  -- Which side describes the products; the other follows.
  add column products text not null default 'shop' check (products in ('shop', 'here')),
  -- What the shop granted with the token, as it said.
  add column scopes text[] not null default '{}' check (cardinality(scopes) <= 100);
grant update (products, scopes) on marketplace.channel to {{app}};
grant select (products) on marketplace.channel to {{job:audit_verifier}};

-- A product that a channel has from this side, or describes here: where the shop's and ours are compared, and what came of it.
create table marketplace.listing (
  tenant_id uuid not null,
  channel_id uuid not null,
  -- The catalogue's: an id without foreign key.
  product_id uuid not null,
  -- As the shop names it; null: it has none yet.
  external_id text collate "C" check (external_id ~ '^[0-9]{1,25}$'),
  -- False: it was taken off, and is a draft in the shop.
  offered boolean not null default true,
  -- Digests of what was said here and of what the shop had when the two were last compared to the end; null: not yet.
  said bytea check (octet_length(said) = 32),
  had bytea check (octet_length(had) = 32),
  -- When they are compared next, if the channel describes them here.
  due_at timestamptz not null default clock_timestamp(),
  -- Why the shop does not have it so, where it is not a matter of time, and in whose words.
  attention text check (attention in ('gone', 'no_price', 'refused', 'kept_otherwise')),
  detail text check (length(detail) <= 500),
  primary key (tenant_id, channel_id, product_id),
  foreign key (tenant_id, channel_id) references marketplace.channel (tenant_id, channel_id)
);
create index listing_due on marketplace.listing (tenant_id, channel_id, due_at);
create index listing_to_look_at on marketplace.listing (tenant_id, channel_id) where attention is not null;
alter table marketplace.listing enable row level security;
alter table marketplace.listing force row level security;
create policy tenant on marketplace.listing to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy job on marketplace.listing to {{job:marketplace}} using (true) with check (true);
grant select, insert, update on marketplace.listing to {{app}};

-- Of listings, as of stock: what is due is compared, again and again.
alter table marketplace.task drop constraint task_kind_check;
alter table marketplace.task add constraint task_kind_check check (kind in ('webhooks', 'products', 'orders', 'listings', 'stock'));
