-- Leases dead letters that an operator wants tried again.
create or replace function bus.claim_letters(a_consumers text[], lease interval, most int) returns table
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
alter function bus.claim_letters(text[], interval, int) owner to {{job:bus}};
revoke execute on function bus.claim_letters(text[], interval, int) from public;
grant execute on function bus.claim_letters(text[], interval, int) to {{app}};
