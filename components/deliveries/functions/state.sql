-- For operators: endpoints of all tenants by status and reason, how many fail, and what waits; at most 10,000 of each are counted.
create or replace function deliveries.summary()
returns table (status text, reason text, endpoints int, failing int, waiting int, oldest_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  select e.status, e.reason, count(*)::int, count(*) filter (where q.failures > 0)::int, sum(d.waiting)::int, min(d.oldest_at)
  from deliveries.endpoint e
  join deliveries.queue q on q.tenant_id = e.tenant_id and q.endpoint_id = e.endpoint_id
  cross join lateral (select count(*) as waiting, min(w.queued_at) as oldest_at from (select o.queued_at from deliveries.delivery o
    where o.tenant_id = e.tenant_id and o.endpoint_id = e.endpoint_id and o.state = 'pending' and o.next_at is null order by o.place limit 10000) w) d
  group by e.status, e.reason
$$;
alter function deliveries.summary() owner to {{job:deliveries}};
revoke execute on function deliveries.summary() from public;
grant execute on function deliveries.summary() to {{app}};

-- Endpoints that fail, or that do not send, by their ids.
create or replace function deliveries.stuck(most int)
returns table (tenant_id uuid, endpoint_id uuid, status text, reason text, failures int, failing_since timestamptz, error text)
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  select e.tenant_id, e.endpoint_id, e.status, e.reason, q.failures, q.failing_since, q.error
  from deliveries.endpoint e join deliveries.queue q on q.tenant_id = e.tenant_id and q.endpoint_id = e.endpoint_id
  where e.status <> 'active' or q.failures > 0 order by q.failing_since nulls last limit most
$$;
alter function deliveries.stuck(int) owner to {{job:deliveries}};
revoke execute on function deliveries.stuck(int) from public;
grant execute on function deliveries.stuck(int) to {{app}};
