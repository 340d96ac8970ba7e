-- Leases the feed that has waited longest, of a tenant that is not busy. While a lease holds nobody else has it.
create or replace function acp.claim_feed(a_lease uuid, a_time interval, a_busy uuid[]) returns table (tenant_id uuid, feed_id uuid)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update acp.feed_work w set lease = a_lease, leased_until = clock_timestamp() + a_time, due_at = null
  from (
    select o.tenant_id, o.feed_id from acp.feed_work o
    where coalesce(o.leased_until, o.due_at) <= clock_timestamp() and o.tenant_id <> all (a_busy)
    order by coalesce(o.leased_until, o.due_at) limit 1 for update skip locked) due
  where w.tenant_id = due.tenant_id and w.feed_id = due.feed_id
  returning w.tenant_id, w.feed_id
$$;
alter function acp.claim_feed(uuid, interval, uuid[]) owner to {{job:acp}};
revoke execute on function acp.claim_feed(uuid, interval, uuid[]) from public;
grant execute on function acp.claim_feed(uuid, interval, uuid[]) to {{app}};
