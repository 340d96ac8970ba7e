create schema bus;
grant usage on schema bus to {{app}};

-- Rows stay: the outbox is the durable truth that any transport is fed from. A consumer reads below the watermark
-- pg_snapshot_xmin, so the transaction id is part of the order.
create table bus.outbox (
  tenant_id uuid not null,
  event_id uuid not null,
  xid xid8 not null default pg_current_xact_id(),
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
create index outbox_order on bus.outbox (xid, position);
alter table bus.outbox enable row level security;
alter table bus.outbox force row level security;
create policy tenant on bus.outbox
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select, insert on bus.outbox to {{app}};
