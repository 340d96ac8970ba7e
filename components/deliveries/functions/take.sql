-- What is to be sent to endpoints that the process has: new deliveries behind `place`; those that are tried again and are due, or of which one is asked for
-- that is not (`probes`); and new ones of ordering keys that were held back. `held`: places that the process has in hand.
create or replace function deliveries.take(an_owner uuid, lanes json)
returns table (tenant_id uuid, endpoint_id uuid, pos bigint, event_id uuid, place bigint, ordering_key text, attempts int, body text, kind text, age float8,
  occurred_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with lane as materialized (
    select l.* from json_to_recordset(lanes) as l
      (tenant_id uuid, endpoint_id uuid, place bigint, most int, again int, probes boolean, keys text[], held bigint[])
    join deliveries.queue q on q.tenant_id = l.tenant_id and q.endpoint_id = l.endpoint_id and q.owner = an_owner)
  select l.tenant_id, l.endpoint_id, d.position, d.event_id, d.place, d.ordering_key, d.attempts, d.body, 'new', 0, d.occurred_at
  from lane l cross join lateral (select * from deliveries.delivery w
    where w.tenant_id = l.tenant_id and w.endpoint_id = l.endpoint_id and w.state = 'pending' and w.next_at is null and w.place > l.place
    order by w.place limit l.most) d
  union all
  select l.tenant_id, l.endpoint_id, d.position, d.event_id, d.place, d.ordering_key, d.attempts, d.body, 'again',
    extract(epoch from clock_timestamp() - d.first_tried_at)::float8, d.occurred_at
  from lane l cross join lateral (select * from deliveries.delivery w
    where w.tenant_id = l.tenant_id and w.endpoint_id = l.endpoint_id and w.state = 'pending' and w.next_at is not null
      and (l.probes or w.next_at <= clock_timestamp()) and w.place <> all (l.held)
    order by w.next_at limit l.again) d
  union all
  select l.tenant_id, l.endpoint_id, d.position, d.event_id, d.place, d.ordering_key, d.attempts, d.body, 'key', 0, d.occurred_at
  from lane l cross join lateral unnest(l.keys) as k (key) cross join lateral (select * from deliveries.delivery w
    where w.tenant_id = l.tenant_id and w.endpoint_id = l.endpoint_id and w.state = 'pending' and w.next_at is null
      and w.ordering_key = k.key and w.place <> all (l.held)
    order by w.place limit 100) d
$$;
alter function deliveries.take(uuid, json) owner to {{job:deliveries}};
revoke execute on function deliveries.take(uuid, json) from public;
grant execute on function deliveries.take(uuid, json) to {{app}};

-- Ordering keys of an endpoint of which a delivery waits to be tried again: nothing else of them is sent.
create or replace function deliveries.held_back(a_tenant uuid, an_endpoint uuid, most int) returns table (ordering_key text)
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  select distinct d.ordering_key from (select w.ordering_key from deliveries.delivery w
    where w.tenant_id = a_tenant and w.endpoint_id = an_endpoint and w.state = 'pending' and w.next_at is not null
      and w.ordering_key is not null limit most) d
$$;
alter function deliveries.held_back(uuid, uuid, int) owner to {{job:deliveries}};
revoke execute on function deliveries.held_back(uuid, uuid, int) from public;
grant execute on function deliveries.held_back(uuid, uuid, int) to {{app}};
