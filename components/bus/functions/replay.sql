-- The last position before this moment. Positions are nearly in the order of their times: it is found by halving, and
-- walked from a minute earlier.
create or replace function bus.position_before(a_time timestamptz) returns bigint
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
alter function bus.position_before(timestamptz) owner to {{job:bus}};
revoke execute on function bus.position_before(timestamptz) from public;
grant execute on function bus.position_before(timestamptz) to current_user;

-- Just before this event; null where it is not kept. Its tenant makes it quick.
create or replace function bus.position_of(a_event uuid, a_tenant uuid) returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select o.position - 1 from bus.outbox o where o.event_id = a_event and (a_tenant is null or o.tenant_id = a_tenant)
$$;
alter function bus.position_of(uuid, uuid) owner to {{job:bus}};
revoke execute on function bus.position_of(uuid, uuid) from public;
grant execute on function bus.position_of(uuid, uuid) to current_user;

-- The consumer has everything after this position again: of all tenants, or of one, which then is behind for a while.
-- Waits for the round that is under way, and for the tenants that are in hand.
create or replace function bus.replay(a_consumer text, a_after bigint, a_tenant uuid) returns bigint
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
    update bus.consumer c set position = least(c.position, a_after), generation = nextval('bus.generation'),
        checked = case when c.types is null then least(c.position, a_after) else c.checked end
      where c.name = a_consumer;
  else
    insert into bus.behind (tenant_id, consumer, start_at) values (a_tenant, a_consumer, least(a_after, reached))
      on conflict do nothing;
  end if;
  return (select count(*) from bus.outbox o where o.position > a_after and o.position <= reached
    and (a_tenant is null or o.tenant_id = a_tenant) and (kinds is null or o.type = any(kinds)));
end $$;
alter function bus.replay(text, bigint, uuid) owner to {{job:bus}};
revoke execute on function bus.replay(text, bigint, uuid) from public;
grant execute on function bus.replay(text, bigint, uuid) to current_user;
