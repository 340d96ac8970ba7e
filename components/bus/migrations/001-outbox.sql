create schema bus;
grant usage on schema bus to {{app}}, {{job:bus}};

-- Rows stay: the outbox is the durable truth that any transport is fed from. Their order is the position alone
-- (docs/adr/0013): who publishes marks, before a position is drawn, below which positions nothing of theirs will come, and
-- readers stay below the lowest mark.
create table bus.outbox (
  tenant_id uuid not null,
  event_id uuid not null,
  position bigint generated always as identity,
  type text not null,
  source text not null,
  subject text,
  data text not null,
  correlation_id text,
  causation_id text,
  occurred_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, event_id)
);
create unique index outbox_order on bus.outbox (position);
create index outbox_of_tenant on bus.outbox (tenant_id, position);
alter table bus.outbox enable row level security;
alter table bus.outbox force row level security;
create policy tenant on bus.outbox
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy job on bus.outbox to {{job:bus}} using (true);
grant select, insert on bus.outbox to {{app}};
grant select, insert, delete on bus.outbox to {{job:bus}};
grant select on sequence bus.outbox_position_seq to {{app}}, {{job:bus}};

-- A generation is never had twice, also of a consumer that was forgotten and begins anew: what a process knows of the one before
-- is void.
create sequence bus.generation as int;
grant usage on sequence bus.generation to {{job:bus}};

-- One row a consumer: everything up to `position` was handled for every tenant but those that are behind.
create table bus.consumer (
  name text primary key,
  -- Null: all.
  types text[],
  position bigint not null default 0,
  -- Counts replays: what a process knows of an earlier generation is void.
  generation int not null default nextval('bus.generation'),
  moved_at timestamptz not null default clock_timestamp(),
  -- Whether a process that had it may have ended in the middle of it (docs/adr/0013): only then is its first round careful.
  in_hand boolean not null default true,
  -- Up to here no event is missing, of what tenants have an inbox for; of a transport, which has none, how far it has sent.
  checked bigint not null default 0,
  -- Events that were missing and were found again, until an operator acknowledges it.
  passed_over bigint not null default 0,
  -- Of a transport: the number in its stream of the last event that was acknowledged. A stream never counts backwards.
  sequence bigint
);
alter table bus.consumer enable row level security;
alter table bus.consumer force row level security;
create policy job on bus.consumer to {{job:bus}} using (true) with check (true);
grant select, insert, update, delete on bus.consumer to {{job:bus}};

-- The inbox of a consumer: a tenant's events come in their order, so the last one handled stands for all before it. It
-- is moved in the transaction of the handler's effect, and its row lock keeps a tenant to one process.
create table bus.inbox (
  tenant_id uuid not null,
  consumer text not null,
  position bigint not null,
  primary key (tenant_id, consumer)
) with (fillfactor = 50);

-- Tenants that a consumer goes on without: they failed, were slow, or are replayed, and follow at their own pace.
create table bus.behind (
  tenant_id uuid not null,
  consumer text not null,
  -- Nothing up to here is missing; the inbox may know more.
  start_at bigint not null,
  -- Of the event that is next.
  attempts int not null default 0,
  event_id uuid,
  error_code text,
  since timestamptz not null default clock_timestamp(),
  next_at timestamptz not null default clock_timestamp(),
  parked_at timestamptz,
  primary key (tenant_id, consumer)
);
create index behind_due on bus.behind (next_at) where parked_at is null;
create index behind_of_consumer on bus.behind (consumer);

-- Events that a consumer went on without.
create table bus.dead_letter (
  tenant_id uuid not null,
  consumer text not null,
  event_id uuid not null,
  position bigint not null,
  attempts int not null,
  error_code text,
  died_at timestamptz not null default clock_timestamp(),
  -- When an operator asked for another try, and how many processes may die in it.
  retry_at timestamptz,
  tries_left int not null default 0,
  primary key (tenant_id, consumer, event_id)
);
create index dead_letter_due on bus.dead_letter (retry_at) where retry_at is not null;
create index dead_letter_of_consumer on bus.dead_letter (consumer, position);

do $$
declare name text;
begin
  foreach name in array array['inbox', 'behind', 'dead_letter'] loop
    execute format('alter table bus.%I enable row level security', name);
    execute format('alter table bus.%I force row level security', name);
    execute format($policy$create policy tenant on bus.%I to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    execute format('create policy job on bus.%I to {{job:bus}} using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on bus.%I to {{job:bus}}', name);
  end loop;
end $$;
grant select, insert, update (position) on bus.inbox to {{app}};
grant select, update (attempts, event_id, error_code, next_at, parked_at) on bus.behind to {{app}};
grant select, insert, update (attempts, error_code, retry_at, tries_left), delete on bus.dead_letter to {{app}};
