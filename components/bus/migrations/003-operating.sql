-- What an operator does. The application may not: only the owner of the schema, as a member of the job's role.
grant create on schema bus to {{job:bus}};

-- The last position before this moment. Positions are nearly in the order of their times: it is found by halving, and
-- walked from a minute earlier.
create function bus.position_before(a_time timestamptz) returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  low bigint;
  high bigint;
  middle bigint;
  found bigint;
  at timestamptz;
begin
  select min(o.position) - 1, max(o.position) into low, high from bus.outbox o;
  if low is null then return (select case when is_called then last_value else 0 end from bus.outbox_position_seq); end if;
  while low < high loop
    middle := low + (high - low + 1) / 2;
    select o.position, o.occurred_at into found, at from bus.outbox o
      where o.position >= middle and o.position <= high order by o.position limit 1;
    if found is not null and at < a_time - interval '1 minute' then low := found; else high := middle - 1; end if;
  end loop;
  return coalesce((select o.position - 1 from bus.outbox o where o.position > low and o.occurred_at >= a_time
    order by o.position limit 1), (select max(o.position) from bus.outbox o));
end $$;

-- Just before this event; null where it is not kept. Its tenant makes it quick.
create function bus.position_of(a_event uuid, a_tenant uuid) returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select o.position - 1 from bus.outbox o where o.event_id = a_event and (a_tenant is null or o.tenant_id = a_tenant)
$$;

-- The consumer has everything after this position again: of all tenants, or of one, which then is behind for a while.
-- Waits for the round that is under way, and for the tenants that are in hand.
create function bus.replay(a_consumer text, a_after bigint, a_tenant uuid) returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  kinds text[];
  reached bigint;
begin
  perform pg_advisory_xact_lock(1112888112, hashtext(a_consumer));
  select c.types, c.position into kinds, reached from bus.consumer c where c.name = a_consumer;
  if not found then return null; end if;
  -- A transport has one cursor for all tenants.
  if kinds is null and a_tenant is not null then return -1; end if;
  update bus.inbox i set position = a_after
    where i.consumer = a_consumer and i.position > a_after and (a_tenant is null or i.tenant_id = a_tenant);
  delete from bus.dead_letter l
    where l.consumer = a_consumer and l.position > a_after and (a_tenant is null or l.tenant_id = a_tenant);
  update bus.behind b set start_at = least(b.start_at, a_after), attempts = 0, event_id = null, error_code = null,
      next_at = clock_timestamp(), parked_at = null
    where b.consumer = a_consumer and (a_tenant is null or b.tenant_id = a_tenant);
  if a_tenant is null then
    update bus.consumer c set position = least(c.position, a_after), generation = c.generation + 1 where c.name = a_consumer;
  else
    insert into bus.behind (tenant_id, consumer, start_at) values (a_tenant, a_consumer, least(a_after, reached))
      on conflict do nothing;
  end if;
  return (select count(*) from bus.outbox o where o.position > a_after and o.position <= reached
    and (a_tenant is null or o.tenant_id = a_tenant) and (kinds is null or o.type = any(kinds)));
end $$;

-- Tries dead letters again, and sets parked tenants going.
create function bus.retry(a_consumer text, a_tenant uuid, a_event uuid, out letters int, out tenants int)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update bus.dead_letter l set retry_at = clock_timestamp(), tries_left = 3
    where l.consumer = a_consumer and (a_tenant is null or l.tenant_id = a_tenant) and (a_event is null or l.event_id = a_event);
  get diagnostics letters = row_count;
  update bus.behind b set parked_at = null, attempts = 0, next_at = clock_timestamp()
    where b.consumer = a_consumer and b.parked_at is not null
      and (a_tenant is null or b.tenant_id = a_tenant) and (a_event is null or b.event_id = a_event);
  get diagnostics tenants = row_count;
end $$;

-- Events that were given up, and those that hold their tenant.
create function bus.stuck(a_consumer text, a_tenant uuid, most int) returns table
  (kind text, consumer text, tenant_id uuid, event_id uuid, type text, attempts int, error_code text, since timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.kind, s.consumer, s.tenant_id, s.event_id, o.type, s.attempts, s.error_code, s.since from (
    select 'dead' as kind, l.consumer, l.tenant_id, l.event_id, l.attempts, l.error_code, l.died_at as since from bus.dead_letter l
    union all
    select 'parked', b.consumer, b.tenant_id, b.event_id, b.attempts, b.error_code, b.parked_at from bus.behind b
    where b.parked_at is not null) s
  left join bus.outbox o on o.tenant_id = s.tenant_id and o.event_id = s.event_id
  where (a_consumer is null or s.consumer = a_consumer) and (a_tenant is null or s.tenant_id = a_tenant)
  order by s.since, s.event_id limit most
$$;

-- Who still needs the events at or below this position, and from where.
create function bus.needed(a_through bigint) returns table (consumer text, what text, after bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select c.name, 'its cursor', c.position from bus.consumer c
  where exists (select from bus.outbox o where o.position > c.position and o.position <= a_through
    and (c.types is null or o.type = any(c.types)))
  union all
  select b.consumer, 'tenant ' || b.tenant_id, greatest(b.start_at, i.position) from bus.behind b
  left join bus.inbox i on i.tenant_id = b.tenant_id and i.consumer = b.consumer
  where exists (select from bus.outbox o
    where o.tenant_id = b.tenant_id and o.position > greatest(b.start_at, i.position) and o.position <= a_through)
  union all
  select l.consumer, 'dead letter ' || l.event_id, l.position - 1 from bus.dead_letter l where l.position <= a_through
  order by 3, 1 limit 20
$$;

-- Removes so many of the events at or below this position, unless somebody needs one of them.
create function bus.prune(a_through bigint, most int) returns int
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare removed int;
begin
  if exists (select from bus.needed(a_through)) then
    raise exception 'events up to % are still needed', a_through using errcode = 'object_in_use';
  end if;
  delete from bus.outbox o using (
    select w.tenant_id, w.event_id from bus.outbox w where w.position <= a_through order by w.position limit most) old
  where o.tenant_id = old.tenant_id and o.event_id = old.event_id;
  get diagnostics removed = row_count;
  return removed;
end $$;

-- A consumer that is no more: nothing is kept for it. False where there is none of this name.
create function bus.forget(a_consumer text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(1112888112, hashtext(a_consumer));
  delete from bus.inbox i where i.consumer = a_consumer;
  delete from bus.behind b where b.consumer = a_consumer;
  delete from bus.dead_letter l where l.consumer = a_consumer;
  delete from bus.consumer c where c.name = a_consumer;
  return found;
end $$;

do $$
declare one regprocedure;
begin
  for one in select p.oid::regprocedure from pg_proc p where p.pronamespace = 'bus'::regnamespace
      and p.proname in ('position_before', 'position_of', 'replay', 'retry', 'stuck', 'needed', 'prune', 'forget') loop
    execute format('alter function %s owner to {{job:bus}}', one);
    execute format('revoke execute on function %s from public', one);
    execute format('grant execute on function %s to current_user', one);
  end loop;
end $$;
revoke create on schema bus from {{job:bus}};
