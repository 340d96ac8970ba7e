create schema deliveries;
grant usage on schema deliveries to {{app}}, {{job:deliveries}}, {{job:audit_verifier}};

-- Where events of a tenant are sent.
create table deliveries.endpoint (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  url text not null check (length(url) between 1 and 2000),
  -- Null: everything that is announced.
  types text[] check (cardinality(types) between 1 and 200),
  description text check (length(description) between 1 and 200),
  -- `subject`: events about one thing one after the other, each only once the one before has arrived. `parallel`: as they come.
  ordering text not null check (ordering in ('subject', 'parallel')),
  -- Of shopping agents: `rfc9421` by the key of the brand, which its profile publishes; `merchant` by a secret, as the Agentic Commerce Protocol says.
  signing text not null check (signing in ('hmac', 'ed25519', 'rfc9421', 'merchant')),
  -- Of a shopping agent, which is told of orders that it placed: who it is, and the brand in whose name it is told.
  agent_id uuid,
  brand_id uuid,
  -- Requests in a second at most; null: as many as are answered.
  per_second int check (per_second between 1 and 1000),
  -- `paused`: events wait. `disabled`: it gets none, and none are kept for it.
  status text not null check (status in ('active', 'paused', 'disabled')),
  reason text check (reason in ('secret_missing', 'member', 'failing', 'gone', 'abandoned')),
  -- What was announced up to here is not for it, unless it is replayed. Of the bus.
  begins_after bigint not null,
  version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  status_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, endpoint_id),
  check ((status = 'active') = (reason is null)),
  check ((agent_id is null) = (brand_id is null) and (agent_id is null) = (signing in ('hmac', 'ed25519'))),
  unique (tenant_id, agent_id)
);

-- What requests are signed with: the newest, and those before it until they end.
create table deliveries.secret (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  secret_id uuid not null,
  -- By the key of the tenant; null once it has ended.
  sealed text check (length(sealed) <= 1000),
  -- Of ed25519: what receivers check signatures with.
  public_key text check (length(public_key) <= 100),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  primary key (tenant_id, secret_id),
  foreign key (tenant_id, endpoint_id) references deliveries.endpoint (tenant_id, endpoint_id) on delete cascade
);
create index secret_of_endpoint on deliveries.secret (tenant_id, endpoint_id);

-- How far the work on an endpoint has come. One process at a time has it, until its lease is over: it alone sends, so it alone keeps order and limits.
create table deliveries.queue (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  -- When there is something to send: 'infinity' if nothing waits, or if the endpoint is not active.
  due_at timestamptz not null default 'infinity',
  owner uuid,
  lease_until timestamptz,
  -- Its owner has nothing to do until `due_at`.
  resting boolean not null default false,
  -- Nothing is sent before: the endpoint asked for it, or does not answer.
  hold_until timestamptz,
  -- Failures since the last success, and since when; null where the last attempt succeeded.
  failures int not null default 0,
  failing_since timestamptz,
  succeeded_at timestamptz,
  failed_at timestamptz,
  -- Of the last failure.
  error text check (length(error) <= 40),
  -- How many events were put back by replays on a day.
  replay_day date,
  replayed int not null default 0,
  -- The endpoint was deleted: its deliveries go, and then this row.
  removed_at timestamptz,
  primary key (tenant_id, endpoint_id)
) with (fillfactor = 50);
create index queue_due on deliveries.queue (due_at) where due_at < 'infinity';
create index queue_owned on deliveries.queue (owner) where owner is not null;
create index queue_removed on deliveries.queue (removed_at) where removed_at is not null;

-- One event for one endpoint.
create table deliveries.delivery (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  -- Of the event in the outbox.
  position bigint not null,
  event_id uuid not null,
  type text not null,
  subject text,
  -- What is sent and signed, to the byte.
  body text not null,
  -- Order in the queue: rows become visible in it, because whoever adds some has locked the queue.
  place bigint generated always as identity,
  -- Where order is kept: what waits for what is of the same key.
  ordering_key text,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts int not null default 0,
  -- Of a delivery that failed: when it is tried again.
  next_at timestamptz,
  first_tried_at timestamptz,
  status int,
  error text check (length(error) <= 40),
  queued_at timestamptz not null default clock_timestamp(),
  -- When it happened: of what agents are told, whose signatures cover it.
  occurred_at timestamptz,
  settled_at timestamptz,
  primary key (tenant_id, endpoint_id, position)
) with (fillfactor = 80);
create index delivery_new on deliveries.delivery (tenant_id, endpoint_id, place) where state = 'pending' and next_at is null;
create index delivery_again on deliveries.delivery (tenant_id, endpoint_id, next_at) where state = 'pending' and next_at is not null;
create index delivery_in_order on deliveries.delivery (tenant_id, endpoint_id, ordering_key, place)
  where state = 'pending' and next_at is null and ordering_key is not null;
-- What agents were told of an order goes with its person.
create index delivery_to_agent on deliveries.delivery (tenant_id, subject) where occurred_at is not null;
create index delivery_settled on deliveries.delivery (settled_at) where settled_at is not null;

-- Each request, and what was answered.
create table deliveries.attempt (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  position bigint not null,
  attempted_at timestamptz not null,
  attempt int not null,
  -- Null where nothing was answered.
  status int,
  error text check (length(error) <= 40),
  milliseconds int not null,
  -- The first bytes of the answer, as far as they are text.
  answer text check (length(answer) <= 1024),
  primary key (tenant_id, endpoint_id, position, attempted_at)
);
create index attempt_made on deliveries.attempt (attempted_at);

do $$
declare name text;
begin
  foreach name in array array['endpoint', 'secret', 'queue', 'delivery', 'attempt'] loop
    execute format('alter table deliveries.%I enable row level security', name);
    execute format('alter table deliveries.%I force row level security', name);
    execute format($policy$create policy tenant on deliveries.%I to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    execute format('create policy job on deliveries.%I to {{job:deliveries}} using (true) with check (true)', name);
    execute format('grant select on deliveries.%I to {{app}}', name);
    execute format('grant select, insert, update, delete on deliveries.%I to {{job:deliveries}}', name);
  end loop;
end $$;
create policy verifier on deliveries.endpoint for select to {{job:audit_verifier}} using (true);
create policy verifier on deliveries.secret for select to {{job:audit_verifier}} using (true);
grant select (tenant_id, endpoint_id, url, types, ordering, signing, agent_id, brand_id, per_second, status, reason, version, created_at, updated_at, status_at)
  on deliveries.endpoint to {{job:audit_verifier}};
grant select (tenant_id, endpoint_id, secret_id, public_key) on deliveries.secret to {{job:audit_verifier}};
grant insert, delete on deliveries.endpoint to {{app}};
grant update (url, types, description, ordering, per_second, status, reason, begins_after, version, updated_at, status_at)
  on deliveries.endpoint to {{app}};
grant insert, update (sealed, expires_at) on deliveries.secret to {{app}};
