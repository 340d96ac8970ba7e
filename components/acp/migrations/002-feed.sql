grant usage on schema acp to {{job:acp}}, {{job:audit_verifier}};

-- Where a platform takes what a brand sells: its feeds API, for one agent.
create table acp.feed (
  tenant_id uuid not null,
  feed_id uuid not null,
  -- Agents and brands are others': ids without foreign keys.
  agent_id uuid not null,
  brand_id uuid not null,
  -- `/feeds` is added.
  url text not null check (length(url) between 1 and 2000),
  target_country text check (target_country ~ '^[A-Z]{2}$'),
  -- Sealed: what the platform is called with.
  token text check (length(token) <= 16384),
  status text not null check (status in ('active', 'paused')),
  reason text check (reason in ('token_missing', 'member', 'refused')),
  version int not null default 1 check (version >= 1),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, feed_id),
  unique (tenant_id, agent_id),
  check ((status = 'active') = (reason is null)),
  check (token is not null or reason = 'token_missing')
);
create index feed_of_brand on acp.feed (tenant_id, brand_id, feed_id);

-- How far pushing has come. One process has a feed until its lease ends, and only that one calls the platform.
create table acp.feed_work (
  tenant_id uuid not null,
  feed_id uuid not null,
  -- With which a feed is created: the same until the platform has answered.
  creation_key uuid not null,
  -- Of the feed at the platform, as that named it.
  platform_id text check (length(platform_id) between 1 and 200),
  -- When all products are compared next with what the platform has, and up to which product that has come; null: it is not under way.
  walk_at timestamptz not null default clock_timestamp(),
  walk_after uuid,
  -- The comparison under way pushes everything, and the next one from then on.
  whole boolean not null default false,
  whole_at timestamptz not null default clock_timestamp(),
  -- Products in a request at most: half as many where the platform refused some, twice as many where it took them.
  batch int not null check (batch between 1 and 50),
  -- Products in a row that the platform refused.
  refused_in_row int not null default 0 check (refused_in_row >= 0),
  pushed_at timestamptz,
  -- In a row, with the last one's time and words.
  failures int not null default 0 check (failures >= 0),
  failed_at timestamptz,
  failure text check (length(failure) <= 1000),
  -- Why nothing is pushed although it is active.
  withheld text check (length(withheld) <= 40),
  due_at timestamptz,
  lease uuid,
  leased_until timestamptz,
  primary key (tenant_id, feed_id),
  foreign key (tenant_id, feed_id) references acp.feed (tenant_id, feed_id) on delete cascade,
  check ((lease is null) = (leased_until is null))
);
create index feed_work_due on acp.feed_work (coalesce(leased_until, due_at));

-- What a platform knows of a product, and what is to be looked at. A product that was never sold by the brand is here for as long as it is marked.
create table acp.feed_product (
  tenant_id uuid not null,
  feed_id uuid not null,
  -- Products are the catalogue's.
  product_id uuid not null,
  -- Of what the platform took, or refused, last. Null: it may have anything.
  digest bytea check (octet_length(digest) = 32),
  -- What it may know of it, so that it can be told that this is gone. Written before it is sent.
  title text not null default '' check (length(title) <= 255),
  variant_ids uuid[] not null default '{}' check (cardinality(variant_ids) <= 5000),
  -- What the platform said when it refused it.
  refusal text check (length(refusal) <= 1000),
  -- It may have changed since; another mark with each change.
  mark uuid,
  primary key (tenant_id, feed_id, product_id),
  foreign key (tenant_id, feed_id) references acp.feed (tenant_id, feed_id) on delete cascade
);
create index feed_product_marked on acp.feed_product (tenant_id, feed_id, mark) where mark is not null;
create index feed_product_refused on acp.feed_product (tenant_id, feed_id, product_id) where refusal is not null;

do $$
declare name text;
begin
  foreach name in array array['feed', 'feed_work', 'feed_product'] loop
    execute format('alter table acp.%I enable row level security', name);
    execute format('alter table acp.%I force row level security', name);
    execute format($policy$create policy tenant on acp.%I to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    execute format('grant select, insert, delete on acp.%I to {{app}}', name);
  end loop;
end $$;
grant update (url, target_country, token, status, reason, version, updated_at) on acp.feed to {{app}};
grant update on acp.feed_work to {{app}};
grant update (digest, title, variant_ids, refusal, mark) on acp.feed_product to {{app}};

create policy job on acp.feed_work to {{job:acp}} using (true) with check (true);
grant select (tenant_id, feed_id, due_at, leased_until), update (lease, leased_until, due_at) on acp.feed_work to {{job:acp}};

create policy verifier on acp.feed for select to {{job:audit_verifier}} using (true);
grant select (tenant_id, feed_id, agent_id, brand_id, url, target_country, status, reason, version, created_at, updated_at) on acp.feed to {{job:audit_verifier}};
