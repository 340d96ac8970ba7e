grant usage on schema bus to {{job:bus}};
-- CREATE is needed only while the functions below change hands.
grant create on schema bus to {{job:bus}};

-- The order of the outbox is the position alone (docs/adr/0013): who publishes marks, before a position is drawn, below
-- which positions nothing of theirs will come, and readers stay below the lowest mark.
drop index bus.outbox_order;
alter table bus.outbox drop column xid;
create unique index outbox_order on bus.outbox (position);
create index outbox_of_tenant on bus.outbox (tenant_id, position);
grant select on sequence bus.outbox_position_seq to {{app}}, {{job:bus}};
create policy job on bus.outbox to {{job:bus}} using (true);
grant select, delete on bus.outbox to {{job:bus}};

-- A shared advisory lock until the end of the transaction; its key is the last position drawn before it. The statement's
-- own positions are drawn after this trigger.
create function bus.mark_publisher() returns trigger language plpgsql as $$
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(1112888111,
    ((case when s.is_called then s.last_value else s.last_value - 1 end) & 2147483647)::pg_catalog.int4)
  from bus.outbox_position_seq s;
  return null;
end $$;
create trigger mark_publisher before insert on bus.outbox for each statement execute function bus.mark_publisher();
alter table bus.outbox enable always trigger mark_publisher;

-- One row a consumer: everything up to `position` was handled for every tenant but those that are behind.
create table bus.consumer (
  name text primary key,
  -- Null: all.
  types text[],
  position bigint not null default 0,
  -- Counts replays: what a process knows of an earlier generation is void.
  generation int not null default 1,
  moved_at timestamptz not null default clock_timestamp()
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

-- Up to here every position is either visible to the next statement or will never be there. The order matters: first the
-- head, then the marks, and rows are read by a later statement: whoever marks after that draws above the head.
create function bus.horizon() returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  head bigint;
  lowest bigint;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'the outbox is read in read committed: rows must be newer than the marks';
  end if;
  select case when s.is_called then s.last_value else s.last_value - 1 end into head from bus.outbox_position_seq s;
  -- Keys are 31 bits of a position; what is more than half of that away was marked after the head was read.
  select max(d) into lowest from (
    select (head - l.objid::bigint) & 2147483647 as d from pg_locks l
    where l.locktype = 'advisory' and l.classid = 1112888111 and l.objsubid = 2
      and l.database = (select oid from pg_database where datname = current_database())) marks
  where d < 1073741824;
  return head - coalesce(lowest, 0);
end $$;

-- Notes consumers that this version has; a new one begins at the first event that is kept.
create function bus.enroll(a_name text, a_types text[]) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  insert into bus.consumer as c (name, types) values (a_name, a_types)
  on conflict (name) do update set types = excluded.types where c.types is distinct from excluded.types
$$;

-- What every process asks all the time: where the outbox ends, where its consumers are, and whether anything is due.
create function bus.poll(a_consumers text[]) returns table
  (head bigint, names text[], positions bigint[], generations int[], behind boolean, letters boolean)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  select (select s.last_value from bus.outbox_position_seq s), c.names, c.positions, c.generations,
    exists (select from bus.behind b where b.parked_at is null and b.next_at <= clock_timestamp() and b.consumer = any(a_consumers)),
    exists (select from bus.dead_letter l where l.retry_at <= clock_timestamp() and l.consumer = any(a_consumers))
  from (select array_agg(name) as names, array_agg(position) as positions, array_agg(generation) as generations
    from bus.consumer where name = any(a_consumers)) c
$$;

-- Until the transaction ends, this consumer is the caller's; null where it is another's.
create function bus.claim(a_consumer text, out start_at bigint, out generation int, out horizon bigint, out first_at bigint)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock(1112888112, hashtext(a_consumer)) then return; end if;
  select c.position, c.generation into start_at, generation from bus.consumer c where c.name = a_consumer;
  horizon := bus.horizon();
  first_at := (select o.position from bus.outbox o where o.position > start_at order by o.position limit 1);
end $$;

create function bus.fetch(a_consumer text, a_types text[], a_after bigint, a_through bigint, most int) returns table
  (tenant_id uuid, event_id uuid, pos bigint, type text, source text, subject text, data text, correlation_id text,
   causation_id text, occurred_at text, behind boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
  select o.tenant_id, o.event_id, o.position, o.type, o.source, o.subject, o.data, o.correlation_id, o.causation_id,
    to_char(o.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    exists (select from bus.behind b where b.tenant_id = o.tenant_id and b.consumer = a_consumer)
  from bus.outbox o
  where o.position > a_after and o.position <= a_through and (a_types is null or o.type = any(a_types))
  order by o.position limit most
$$;

-- Moves the cursor of a claimed consumer; the tenants named stay behind at `a_after`. False where it is not there any more.
create function bus.advance(a_consumer text, a_generation int, a_after bigint, a_through bigint,
  a_tenants uuid[], a_attempts int[], a_waits float8[], a_events uuid[], a_codes text[]) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update bus.consumer c set position = a_through, moved_at = clock_timestamp()
    where c.name = a_consumer and c.generation = a_generation and c.position = a_after;
  if not found then return false; end if;
  insert into bus.behind (tenant_id, consumer, start_at, attempts, event_id, error_code, next_at)
    select t, a_consumer, a_after, n, e, code, clock_timestamp() + make_interval(secs => w)
    from unnest(a_tenants, a_attempts, a_waits, a_events, a_codes) as one (t, n, w, e, code)
    on conflict do nothing;
  return true;
end $$;

-- Leases tenants that are behind; each lease counts as an attempt, so that one who ends the process is found out.
create function bus.claim_behind(a_consumers text[], lease interval, most int) returns table
  (tenant_id uuid, consumer text, start_at bigint, attempts int)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update bus.behind b set attempts = b.attempts + 1, next_at = clock_timestamp() + lease
  from (
    select w.tenant_id, w.consumer from bus.behind w
    where w.parked_at is null and w.next_at <= clock_timestamp() and w.consumer = any(a_consumers)
    order by w.next_at limit most for update skip locked) due
  where b.tenant_id = due.tenant_id and b.consumer = due.consumer
  returning b.tenant_id, b.consumer, b.start_at, b.attempts
$$;

-- A tenant that has caught up goes with all others again. Under the claim, so that no round has left it out meanwhile.
create function bus.rejoin(a_tenant uuid, a_consumer text, a_types text[]) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  handled bigint;
  reached bigint;
begin
  perform pg_advisory_xact_lock(1112888112, hashtext(a_consumer));
  select c.position into reached from bus.consumer c where c.name = a_consumer;
  select greatest(b.start_at, i.position) into handled from bus.behind b
    left join bus.inbox i on i.tenant_id = b.tenant_id and i.consumer = b.consumer
    where b.tenant_id = a_tenant and b.consumer = a_consumer;
  if exists (select from bus.outbox o where o.tenant_id = a_tenant and o.position > handled and o.position <= reached
      and (a_types is null or o.type = any(a_types))) then
    return false;
  end if;
  delete from bus.behind b where b.tenant_id = a_tenant and b.consumer = a_consumer and b.parked_at is null;
  return true;
end $$;

-- Leases dead letters that an operator wants tried again.
create function bus.claim_letters(a_consumers text[], lease interval, most int) returns table
  (tenant_id uuid, consumer text, event_id uuid)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update bus.dead_letter l set attempts = l.attempts + 1, tries_left = l.tries_left - 1,
    retry_at = case when l.tries_left > 1 then clock_timestamp() + lease end
  from (
    select w.tenant_id, w.consumer, w.event_id from bus.dead_letter w
    where w.retry_at <= clock_timestamp() and w.consumer = any(a_consumers)
    order by w.position limit most for update skip locked) due
  where l.tenant_id = due.tenant_id and l.consumer = due.consumer and l.event_id = due.event_id
  returning l.tenant_id, l.consumer, l.event_id
$$;

-- How far every consumer is. Waiting events are counted up to 10,000, and looked for among 50,000 positions.
create function bus.state() returns table
  (name text, pos bigint, head bigint, waiting int, oldest_at timestamptz, moved_at timestamptz, behind int, parked int,
   behind_since timestamptz, dead_letters int)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  select c.name, c.position, s.last_value,
    (select count(*)::int from (select from bus.outbox o where o.position > c.position and o.position <= c.position + 50000
      and (c.types is null or o.type = any(c.types)) limit 10000) w),
    (select o.occurred_at from bus.outbox o where o.position > c.position and o.position <= c.position + 50000
      and (c.types is null or o.type = any(c.types)) order by o.position limit 1),
    c.moved_at,
    (select count(*)::int from bus.behind b where b.consumer = c.name and b.parked_at is null),
    (select count(*)::int from bus.behind b where b.consumer = c.name and b.parked_at is not null),
    (select min(b.since) from bus.behind b where b.consumer = c.name and b.parked_at is null),
    (select count(*)::int from bus.dead_letter l where l.consumer = c.name)
  from bus.consumer c, bus.outbox_position_seq s order by c.name
$$;

do $$
declare one regprocedure;
begin
  for one in select p.oid::regprocedure from pg_proc p where p.pronamespace = 'bus'::regnamespace and p.prosecdef loop
    execute format('alter function %s owner to {{job:bus}}', one);
    execute format('revoke execute on function %s from public', one);
    execute format('grant execute on function %s to {{app}}', one);
  end loop;
end $$;
revoke create on schema bus from {{job:bus}};
