-- The outbox is read where it is written, and what a cursor has passed over is looked for (docs/adr/0013).
grant create on schema bus to {{job:bus}};

-- Raises on a server that follows another: publishers' marks are not seen there, and rows come in the order of their commits.
create function bus.leads() returns boolean
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if pg_is_in_recovery() then
    raise exception 'the outbox is not read from a server that follows another' using errcode = 'read_only_sql_transaction';
  end if;
  return true;
end $$;
revoke execute on function bus.leads() from public;
grant execute on function bus.leads() to {{app}}, {{job:bus}};

-- `checked`: up to here no event is missing, of what tenants have an inbox for. `passed_over`: events that were, and were found
-- again, until an operator acknowledges it.
alter table bus.consumer add column checked bigint not null default 0;
alter table bus.consumer add column passed_over bigint not null default 0;
-- What was before may have been of types that the consumer did not have then.
update bus.consumer set checked = position;

-- As before, but where the outbox is written only.
create or replace function bus.horizon() returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  head bigint;
  lowest bigint;
begin
  perform bus.leads();
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

create or replace function bus.poll(a_consumers text[]) returns table
  (head bigint, names text[], positions bigint[], generations int[], behind boolean, letters boolean)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  select (select case when s.is_called then s.last_value else s.last_value - 1 end from bus.outbox_position_seq s),
    c.names, c.positions, c.generations,
    exists (select from bus.behind b where b.parked_at is null and b.next_at <= clock_timestamp() and b.consumer = any(a_consumers)),
    exists (select from bus.dead_letter l where l.retry_at <= clock_timestamp() and l.consumer = any(a_consumers))
  from (select array_agg(name) as names, array_agg(position) as positions, array_agg(generation) as generations
    from bus.consumer where name = any(a_consumers)) c
  where bus.leads()
$$;

-- Looks below the cursor of a claimed consumer for events that no inbox has and no tenant is behind for: such a tenant is left
-- behind at the first one, so that it has them in order before what follows. How many there were; what was looked at is
-- noted by advance(). 50,000 positions at a time, and only what is final.
create function bus.look_back(a_consumer text, a_horizon bigint) returns int
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  c bus.consumer;
  upto bigint;
  passed int := 0;
begin
  select * into c from bus.consumer w where w.name = a_consumer;
  upto := least(c.position, a_horizon, c.checked + 50000);
  perform set_config('bus.checked', upto::text, true);
  -- A transport has no inboxes.
  if c.types is null or upto <= c.checked then return 0; end if;
  with last as (
    select o.tenant_id, max(o.position) as at from bus.outbox o
    where o.position > c.checked and o.position <= upto and o.type = any(c.types) group by o.tenant_id),
  short as (
    select l.tenant_id, greatest(c.checked, i.position) as had from last l
    left join bus.inbox i on i.tenant_id = l.tenant_id and i.consumer = a_consumer
    where l.at > coalesce(i.position, 0)
      and not exists (select from bus.behind b where b.tenant_id = l.tenant_id and b.consumer = a_consumer)),
  missed as (
    select s.tenant_id, min(o.position) - 1 as start_at, count(*) as events from short s
    join bus.outbox o on o.tenant_id = s.tenant_id and o.position > s.had and o.position <= upto and o.type = any(c.types)
    group by s.tenant_id),
  left_behind as (
    insert into bus.behind (tenant_id, consumer, start_at, error_code)
    select m.tenant_id, a_consumer, m.start_at, 'passed_over' from missed m on conflict do nothing)
  select coalesce(sum(m.events), 0)::int into passed from missed m;
  if passed > 0 then
    update bus.consumer w set passed_over = w.passed_over + passed where w.name = a_consumer;
  end if;
  return passed;
end $$;

-- The same for consumers that no round has in hand, and noted at once; those that had passed over something.
create function bus.look_back_at(a_consumers text[]) returns table (name text, passed int)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  final bigint;
begin
  perform bus.leads();
  for name in select c.name from bus.consumer c where c.name = any(a_consumers) and c.checked < c.position loop
    continue when not pg_try_advisory_xact_lock(1112888112, hashtext(name));
    final := bus.horizon();
    passed := bus.look_back(name, final);
    update bus.consumer c set checked = current_setting('bus.checked')::bigint where c.name = look_back_at.name;
    if passed > 0 then return next; end if;
  end loop;
end $$;

-- As before; what it had not yet handed over it looks for first, and what a process has seen to be empty it looks at again:
-- the events there, if any, are the next. `passed`: found below the cursor.
drop function bus.draw(text, text[], int, bigint, bigint, int);
create function bus.draw(a_consumer text, a_types text[], a_generation int, a_seen bigint, a_window bigint, most int)
  returns table
  (start_at bigint, generation int, upto bigint, horizon bigint, passed int,
   tenant_id uuid, event_id uuid, pos bigint, type text, source text, subject text, data text, correlation_id text,
   causation_id text, occurred_at text, behind boolean, had bigint)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  claimed record;
  after bigint;
begin
  perform bus.leads();
  select * into claimed from bus.claim(a_consumer);
  if claimed.start_at is null then return; end if;
  start_at := claimed.start_at;
  generation := claimed.generation;
  horizon := claimed.horizon;
  passed := bus.look_back(a_consumer, horizon);
  -- Up to there is nothing; least() passes over null.
  after := greatest(start_at, least(claimed.first_at - 1, horizon));
  if generation = a_generation and a_seen > after and not exists (
    select from bus.outbox o where o.position > after and o.position <= a_seen and (a_types is null or o.type = any(a_types))) then
    after := a_seen;
  end if;
  upto := greatest(after, least(horizon, after + a_window));
  return next;
  -- By a statement of its own: the rows are newer than the marks.
  return query select null::bigint, null::int, null::bigint, null::bigint, null::int,
      o.tenant_id, o.event_id, o.position, o.type, o.source, o.subject, o.data, o.correlation_id, o.causation_id,
      to_char(o.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      exists (select from bus.behind b where b.tenant_id = o.tenant_id and b.consumer = a_consumer),
      coalesce((select i.position from bus.inbox i where i.tenant_id = o.tenant_id and i.consumer = a_consumer), 0)
    from bus.outbox o
    where o.position > after and o.position <= upto and (a_types is null or o.type = any(a_types))
    order by o.position limit most;
end $$;

-- As before; and notes how far the round has looked back.
create or replace function bus.advance(a_consumer text, a_generation int, a_after bigint, a_through bigint,
  a_tenants uuid[], a_attempts int[], a_waits float8[], a_events uuid[], a_codes text[]) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if cardinality(a_tenants) = 0 then perform set_config('synchronous_commit', 'off', true); end if;
  update bus.consumer c set position = a_through, moved_at = clock_timestamp(), in_hand = true,
      checked = coalesce(nullif(current_setting('bus.checked', true), '')::bigint, c.checked)
    where c.name = a_consumer and c.generation = a_generation and c.position = a_after;
  if not found then raise exception 'the cursor of % was moved by somebody else', a_consumer using errcode = 'BU002'; end if;
  insert into bus.behind (tenant_id, consumer, start_at, attempts, event_id, error_code, next_at)
    select t, a_consumer, a_after, n, e, code, clock_timestamp() + make_interval(secs => w)
    from unnest(a_tenants, a_attempts, a_waits, a_events, a_codes) as one (t, n, w, e, code)
    on conflict do nothing;
end $$;

-- As before; what was passed while the consumer had other types is not missing.
create or replace function bus.enroll(a_name text, a_types text[]) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare was_in_hand boolean;
begin
  select c.in_hand into was_in_hand from bus.consumer c where c.name = a_name for update;
  insert into bus.consumer as c (name, types) values (a_name, a_types)
    on conflict (name) do update set types = excluded.types, in_hand = true,
      checked = case when c.types is distinct from excluded.types then greatest(c.checked, c.position) else c.checked end
    where not c.in_hand or c.types is distinct from excluded.types;
  return was_in_hand is not true or not exists (select from (
    select o.occurred_at from bus.consumer c, bus.outbox o
    where c.name = a_name and o.position > c.position and o.position <= c.position + 50000
      and (a_types is null or o.type = any(a_types))
    order by o.position limit 1) first where first.occurred_at < clock_timestamp() - interval '250 milliseconds');
end $$;

drop function bus.state();
create function bus.state() returns table
  (name text, pos bigint, head bigint, waiting int, oldest_at timestamptz, moved_at timestamptz, behind int, parked int,
   behind_since timestamptz, dead_letters int, passed_over bigint)
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
    (select count(*)::int from bus.dead_letter l where l.consumer = c.name),
    c.passed_over
  from bus.consumer c, bus.outbox_position_seq s order by c.name
$$;

-- An operator knows of what was passed over; how many events that were, null where there is no such consumer.
create function bus.acknowledge(a_consumer text) returns bigint
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  with known as (select c.name, c.passed_over from bus.consumer c where c.name = a_consumer for update)
  update bus.consumer c set passed_over = 0 from known where c.name = known.name returning known.passed_over
$$;

do $$
declare one regprocedure;
begin
  for one in select p.oid::regprocedure from pg_proc p where p.pronamespace = 'bus'::regnamespace
      and p.proname in ('look_back', 'look_back_at', 'draw', 'state', 'acknowledge') loop
    execute format('alter function %s owner to {{job:bus}}', one);
    execute format('revoke execute on function %s from public', one);
  end loop;
  execute 'grant execute on function bus.look_back_at(text[]), bus.draw(text, text[], int, bigint, bigint, int), bus.state() to {{app}}';
  execute 'grant execute on function bus.acknowledge(text) to current_user';
end $$;
revoke create on schema bus from {{job:bus}};
