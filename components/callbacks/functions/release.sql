-- Lets go of some of what was held of one connection that was resumed, the next one behind `after`, in the order in which the provider says that it happened.
-- Answers which one that was, and how many deliveries wait to be carried out now, so that no transaction holds many of them.
create or replace function callbacks.release(after uuid, most int) returns table (connection_id uuid, released int)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
#variable_conflict use_column
declare
  one record;
  freed int;
begin
  select c.tenant_id, c.connection_id, c.release_until into one from callbacks.connection c
    where c.release_until is not null and c.connection_id > after order by c.connection_id limit 1 for no key update skip locked;
  if not found then
    select c.tenant_id, c.connection_id, c.release_until into one from callbacks.connection c
      where c.release_until is not null and c.connection_id <= after order by c.connection_id limit 1 for no key update skip locked;
  end if;
  if not found then
    return;
  end if;
  with due as (
    select d.delivery_id from callbacks.delivery d
    where d.tenant_id = one.tenant_id and d.connection_id = one.connection_id and d.status = 'held'
    order by coalesce(d.occurred_at, d.received_at), d.received_at, d.delivery_id limit most for update skip locked)
  update callbacks.delivery d set status = 'waiting', next_at = clock_timestamp() from due
    where d.tenant_id = one.tenant_id and d.delivery_id = due.delivery_id;
  get diagnostics freed = row_count;
  if freed < most then
    if one.release_until = 'infinity' then
      update callbacks.connection c set release_until = clock_timestamp() + interval '10 seconds'
        where c.tenant_id = one.tenant_id and c.connection_id = one.connection_id;
    elsif one.release_until < clock_timestamp() then
      update callbacks.connection c set release_until = null
        where c.tenant_id = one.tenant_id and c.connection_id = one.connection_id;
    end if;
  end if;
  return query select one.connection_id, freed;
end
$$;
alter function callbacks.release(uuid, int) owner to {{job:callbacks}};
revoke execute on function callbacks.release(uuid, int) from public;
grant execute on function callbacks.release(uuid, int) to {{app}};
