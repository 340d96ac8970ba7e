-- Events that were given up, and those that hold their tenant.
create or replace function bus.stuck(a_consumer text, a_tenant uuid, most int) returns table
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
alter function bus.stuck(text, uuid, int) owner to {{job:bus}};
revoke execute on function bus.stuck(text, uuid, int) from public;
grant execute on function bus.stuck(text, uuid, int) to current_user;

-- Tries dead letters again, and sets parked tenants going.
create or replace function bus.retry(a_consumer text, a_tenant uuid, a_event uuid, out letters int, out tenants int)
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
alter function bus.retry(text, uuid, uuid) owner to {{job:bus}};
revoke execute on function bus.retry(text, uuid, uuid) from public;
grant execute on function bus.retry(text, uuid, uuid) to current_user;
