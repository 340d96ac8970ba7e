create schema callbacks;
grant usage on schema callbacks to {{app}}, {{job:callbacks}}, {{job:audit_verifier}};

-- An account of a tenant at a provider, for one route.
create table callbacks.connection (
  tenant_id uuid not null,
  connection_id uuid not null,
  receiver text not null check (receiver ~ '^[a-z]+\.[a-z0-9_/]{1,60}$'),
  provider text not null check (provider ~ '^[a-z][a-z0-9_]{0,39}$'),
  name text not null check (length(name) between 1 and 200),
  -- As the provider names it; null until it is known.
  account text check (length(account) between 1 and 200),
  -- The provider itself has said that whoever made the connection has this account: events of it that no other secret tells apart are this tenant's.
  proven_at timestamptz,
  live boolean not null,
  settings jsonb not null default '{}' check (jsonb_typeof(settings) = 'object' and octet_length(settings::text) <= 8192),
  status text not null default 'awaiting_secrets' check (status in ('awaiting_secrets', 'active', 'paused', 'removed')),
  version int not null default 1 check (version >= 1),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, connection_id),
  check (proven_at is null or account is not null)
);
create index connection_by_tenant on callbacks.connection (tenant_id, created_at, connection_id);
-- An index and no constraint of the tenant's: whose an event is that came with the deployment's secret is found by it.
create unique index connection_by_account on callbacks.connection (receiver, provider, account, live)
  where proven_at is not null and status <> 'removed';
create index connection_by_id on callbacks.connection (connection_id);

-- Sealed: nobody reads one in the database.
create table callbacks.secret (
  tenant_id uuid not null,
  connection_id uuid not null,
  name text not null check (name ~ '^[a-z][a-zA-Z0-9]{0,39}$'),
  sealed text not null check (length(sealed) <= 16384),
  set_at timestamptz not null default clock_timestamp(),
  -- The one before it, which is good until then.
  previous text check (length(previous) <= 16384),
  previous_until timestamptz,
  primary key (tenant_id, connection_id, name),
  foreign key (tenant_id, connection_id) references callbacks.connection (tenant_id, connection_id),
  check ((previous is null) = (previous_until is null))
);

-- A request that was genuine. What belongs to no tenant is nobody's: its tenant is the nil UUID, which nobody can open.
create table callbacks.delivery (
  tenant_id uuid not null,
  delivery_id uuid not null,
  receiver text not null,
  provider text not null,
  connection_id uuid,
  account text not null default '',
  provider_delivery_id text not null check (length(provider_delivery_id) between 1 and 200),
  event_id text not null check (length(event_id) between 1 and 200),
  topic text not null check (length(topic) between 1 and 200),
  live boolean,
  resource text check (length(resource) between 1 and 200),
  occurred_at timestamptz,
  -- Which of several events in one request.
  item int not null default 0,
  body_sha256 bytea not null check (octet_length(body_sha256) = 32),
  -- Raw, and forgotten after a time; headers are without what admits anybody.
  body bytea,
  headers jsonb,
  -- Digests of what names people in it, and of the ids of what it became, by which an erasure finds it.
  mentions bytea[] not null default '{}',
  -- It names somebody whose data was erased before it was carried out: it is forgotten as soon as it is.
  erased boolean not null default false,
  -- A MAC over what decides, by a key that the database has not.
  seal bytea not null check (octet_length(seal) = 32),
  status text not null check (status in ('waiting', 'held', 'applied', 'ignored', 'dead', 'rejected', 'conflicting', 'unclaimed')),
  attempts int not null default 0,
  -- Of whoever works on it: what a lease found is noted under its number alone.
  lease int not null default 0,
  -- Leases in a row of which nothing was noted: more than 0 while somebody works on it, and where processes ended over it.
  begun int not null default 0,
  next_at timestamptz,
  last_error text check (length(last_error) <= 1000),
  became jsonb not null default '[]' check (jsonb_typeof(became) = 'array' and octet_length(became::text) <= 16384),
  -- The last event of the audit log that says what became of it.
  audit_event_id uuid,
  -- How often it came again.
  repeats int not null default 0,
  received_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  primary key (tenant_id, delivery_id),
  foreign key (tenant_id, connection_id) references callbacks.connection (tenant_id, connection_id),
  check ((status = 'waiting') = (next_at is not null)),
  check ((status in ('waiting', 'held')) = (settled_at is null))
);
-- Taken once; the same id with another body stands beside it.
create unique index delivery_once on callbacks.delivery (tenant_id, receiver, provider, account, provider_delivery_id)
  where status <> 'conflicting';
create unique index delivery_conflict on callbacks.delivery (tenant_id, receiver, provider, account, provider_delivery_id, body_sha256)
  where status = 'conflicting';
create index delivery_due on callbacks.delivery (tenant_id, next_at) where status = 'waiting';
create index delivery_order on callbacks.delivery
  (tenant_id, receiver, resource, (coalesce(occurred_at, received_at)), received_at, delivery_id) where status = 'waiting';
create index delivery_by_status on callbacks.delivery (tenant_id, status, delivery_id desc);
create index delivery_by_connection on callbacks.delivery (tenant_id, connection_id, received_at desc) where connection_id is not null;
create index delivery_by_event on callbacks.delivery (tenant_id, event_id, delivery_id desc);
-- How a connection does, however much it has received.
create index delivery_open on callbacks.delivery (tenant_id, connection_id, status) where status in ('waiting', 'held', 'dead');
create index delivery_error on callbacks.delivery (tenant_id, connection_id, received_at desc, delivery_id desc) where last_error is not null;
create index delivery_standing on callbacks.delivery (receiver, status, received_at) where status not in ('applied', 'ignored');
create index delivery_mentions on callbacks.delivery using gin (mentions) where mentions <> '{}';
create index delivery_erased on callbacks.delivery (tenant_id, delivery_id) where erased and body is not null;
create index delivery_body on callbacks.delivery (received_at) where body is not null;

do $$
declare
  relation text;
begin
  foreach relation in array array['connection', 'secret', 'delivery'] loop
    execute format('alter table callbacks.%I enable row level security', relation);
    execute format('alter table callbacks.%I force row level security', relation);
    execute format($policy$create policy tenant on callbacks.%I to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, relation);
    execute format('create policy job on callbacks.%I to {{job:callbacks}} using (true) with check (true)', relation);
    execute format('create policy verifier on callbacks.%I for select to {{job:audit_verifier}} using (true)', relation);
  end loop;
end
$$;
grant select, insert on callbacks.connection to {{app}};
grant update (account, proven_at, status, version, updated_at) on callbacks.connection to {{app}};
grant select, insert, update, delete on callbacks.secret to {{app}};
grant select on callbacks.delivery to {{app}};
grant update (status, attempts, begun, next_at, last_error, became, mentions, audit_event_id, settled_at) on callbacks.delivery to {{app}};
grant select on callbacks.connection, callbacks.secret to {{job:callbacks}};
grant select, insert, update, delete on callbacks.delivery to {{job:callbacks}};
grant select on callbacks.connection, callbacks.delivery to {{job:audit_verifier}};
