-- How many bytes of carts, of checkouts that nobody bought and of answers a tenant keeps, which whoever asks for room reads. Of one tenant there are
-- several rows, by who writes, so that buyers do not wait for each other.
create table checkout.kept (
  tenant_id uuid not null,
  -- Whose: what is tried out takes no room of what is sold, and agents none of people.
  part text not null check (part in ('live', 'live_agents', 'test', 'test_agents')),
  slot int not null,
  bytes bigint not null,
  primary key (tenant_id, part, slot)
) with (fillfactor = 50);

alter table checkout.kept enable row level security;
alter table checkout.kept force row level security;
create policy tenant on checkout.kept to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy job on checkout.kept to {{job:checkouts}} using (true);
grant select on checkout.kept to {{app}};
grant select, insert, update on checkout.kept to {{job:checkouts}};

-- What was left longest is found by the ten minutes in which it was touched: a row that changes again within them leaves its index alone.
alter table checkout.cart
  add column part text not null generated always as (mode || case when agent_id is null then '' else '_agents' end) stored,
  add column ended boolean not null generated always as (status <> 'open') stored,
  add column touched timestamp not null generated always as
    (date_bin('10 minutes', updated_at at time zone 'UTC', timestamp '2000-01-01')) stored;
create index cart_by_touch on checkout.cart (tenant_id, part, ended, touched);

-- Of a past that is told now, when the row came counts; payments that failed are counted for an hour, and a provider may tell of one for a day.
alter table checkout.session
  add column part text not null generated always as (mode || case when agent_id is null then '' else '_agents' end) stored,
  add column ended boolean not null generated always as (status not in ('open', 'ready')) stored,
  add column touched timestamp not null generated always as (date_bin('10 minutes', greatest(updated_at, came_at, payment_attempted_at) at time zone 'UTC'
    + case when payment is null then interval '0' else interval '23 hours' end, timestamp '2000-01-01')) stored;
create index session_by_touch on checkout.session (tenant_id, part, ended, touched) where status not in ('completing', 'completed');

alter table checkout.request add column part text not null default 'live' check (part in ('live', 'live_agents', 'test', 'test_agents'));
create index request_by_age on checkout.request (tenant_id, part, created_at);

drop function if exists checkout.make_room(int);

insert into checkout.kept (tenant_id, part, slot, bytes)
select tenant_id, part, 0, sum(bytes) from (
  select tenant_id, part, 400 + pg_column_size(lines) + coalesce(pg_column_size(door_state), 0) as bytes from checkout.cart
  union all
  select tenant_id, part, 800 + pg_column_size(lines) + pg_column_size(figures) + coalesce(pg_column_size(door_state), 0)
    + coalesce(pg_column_size(agreed), 0) + coalesce(pg_column_size(note), 0) + coalesce(pg_column_size(payment), 0)
    + coalesce(pg_column_size(shipping_address), 0) + coalesce(pg_column_size(billing_address), 0) from checkout.session
  where status <> 'completed'
  union all
  select tenant_id, part, 200 + coalesce(pg_column_size(answer), 0) from checkout.request) one
group by tenant_id, part;
