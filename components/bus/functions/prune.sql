-- Who still needs the events at or below this position, and from where.
create or replace function bus.needed(a_through bigint) returns table (consumer text, what text, after bigint)
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
alter function bus.needed(bigint) owner to {{job:bus}};
revoke execute on function bus.needed(bigint) from public;
grant execute on function bus.needed(bigint) to current_user;

-- Removes so many of the events at or below this position, unless somebody needs one of them.
create or replace function bus.prune(a_through bigint, most int) returns int
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
alter function bus.prune(bigint, int) owner to {{job:bus}};
revoke execute on function bus.prune(bigint, int) from public;
grant execute on function bus.prune(bigint, int) to current_user;

-- A consumer that is no more: nothing is kept for it. False where there is none of this name.
create or replace function bus.forget(a_consumer text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(1112888112, hashtext(a_consumer));
  delete from bus.inbox i where i.consumer = a_consumer;
  delete from bus.behind b where b.consumer = a_consumer;
  delete from bus.dead_letter l where l.consumer = a_consumer;
  delete from bus.consumer c where c.name = a_consumer;
  return found;
end $$;
alter function bus.forget(text) owner to {{job:bus}};
revoke execute on function bus.forget(text) from public;
grant execute on function bus.forget(text) to current_user;
