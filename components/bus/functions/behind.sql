-- Leases tenants that are behind; each lease counts as an attempt, so that one who ends the process is found out.
create or replace function bus.claim_behind(a_consumers text[], lease interval, most int) returns table
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
alter function bus.claim_behind(text[], interval, int) owner to {{job:bus}};
revoke execute on function bus.claim_behind(text[], interval, int) from public;
grant execute on function bus.claim_behind(text[], interval, int) to {{app}};

-- A tenant that has caught up goes with all others again. Under the claim, so that no round has left it out meanwhile.
create or replace function bus.rejoin(a_tenant uuid, a_consumer text, a_types text[]) returns boolean
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
alter function bus.rejoin(uuid, text, text[]) owner to {{job:bus}};
revoke execute on function bus.rejoin(uuid, text, text[]) from public;
grant execute on function bus.rejoin(uuid, text, text[]) to {{app}};
