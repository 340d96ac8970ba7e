-- Leases deliveries that are due, and answers all that is known of them, one tenant after the other behind `after`. What happens to one resource is carried out in the order in
-- which the provider says that it happened: in place of a delivery that is due, the first that still waits is taken. One over which a process has ended
-- perhaps is leased alone, and for a time of its own, so that those that were under way beside it are not taken for it.
create or replace function callbacks.lease(after uuid, most int, duration interval)
returns setof callbacks.delivery
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
#variable_conflict use_column
declare
  turn uuid := after;
  one record;
  head record;
  before int;
  leased int := 0;
begin
  for tries in 1..most * 4 loop
    exit when most <= 0;
    select d.tenant_id, d.delivery_id, d.receiver, d.resource into one from callbacks.delivery d
      where d.status = 'waiting' and d.next_at <= statement_timestamp() and d.tenant_id > turn
      order by d.tenant_id, d.next_at limit 1 for update skip locked;
    if not found then
      select d.tenant_id, d.delivery_id, d.receiver, d.resource into one from callbacks.delivery d
        where d.status = 'waiting' and d.next_at <= statement_timestamp() and d.tenant_id <= turn
        order by d.tenant_id, d.next_at limit 1 for update skip locked;
    end if;
    exit when not found;
    turn := one.tenant_id;
    if one.resource is not null then
      select d.delivery_id, d.next_at, d.begun into head from callbacks.delivery d
        where d.tenant_id = one.tenant_id and d.receiver = one.receiver and d.resource = one.resource and d.status = 'waiting'
        order by coalesce(d.occurred_at, d.received_at), d.received_at, d.delivery_id limit 1;
      if head.next_at > statement_timestamp() then
        -- Whoever settles the first one makes the next one due; it may be doing so at this moment, and not see this.
        update callbacks.delivery d set next_at = greatest(
            case when head.begun > 0 then least(head.next_at, clock_timestamp() + interval '5 seconds') else head.next_at end,
            clock_timestamp() + interval '1 second')
          where d.tenant_id = one.tenant_id and d.delivery_id = one.delivery_id;
        continue;
      end if;
      if head.delivery_id <> one.delivery_id then
        perform from callbacks.delivery d
          where d.tenant_id = one.tenant_id and d.delivery_id = head.delivery_id and d.status = 'waiting' and d.next_at <= statement_timestamp()
          for update skip locked;
        continue when not found;
      end if;
      one.delivery_id := head.delivery_id;
    end if;
    select d.begun into before from callbacks.delivery d where d.tenant_id = one.tenant_id and d.delivery_id = one.delivery_id;
    exit when before > 0 and leased > 0;
    leased := leased + 1;
    return query update callbacks.delivery d set lease = d.lease + 1, begun = d.begun + 1,
        next_at = clock_timestamp() + duration * (1 + d.begun * random())
      where d.tenant_id = one.tenant_id and d.delivery_id = one.delivery_id
      returning d.*;
    most := most - 1;
    exit when before > 0;
  end loop;
end
$$;
alter function callbacks.lease(uuid, int, interval) owner to {{job:callbacks}};
revoke execute on function callbacks.lease(uuid, int, interval) from public;
grant execute on function callbacks.lease(uuid, int, interval) to {{app}};
