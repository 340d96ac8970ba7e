-- Stores what became of requests. What arrived counts whoever has the endpoint by now; what failed is tried again only by who has it. A delivery that was
-- replayed meanwhile is another one, which its place tells.
create or replace function deliveries.settle(an_owner uuid, outcomes json) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  update deliveries.delivery d set
    state = o.state, attempts = d.attempts + 1, status = o.status, error = o.error,
    first_tried_at = coalesce(d.first_tried_at, clock_timestamp() - o.ago * interval '1 millisecond'),
    next_at = case when o.state = 'pending' then clock_timestamp() + o.wait * interval '1 second' end,
    settled_at = case when o.state <> 'pending' then clock_timestamp() end
  from json_to_recordset(outcomes) as o
    (tenant_id uuid, endpoint_id uuid, pos bigint, place bigint, state text, wait float8, status int, error text, ago float8)
  where d.tenant_id = o.tenant_id and d.endpoint_id = o.endpoint_id and d.position = o.pos and d.place = o.place and d.state = 'pending'
    and (o.state = 'delivered' or exists (select from deliveries.queue q
      where q.tenant_id = o.tenant_id and q.endpoint_id = o.endpoint_id and q.owner = an_owner));
  insert into deliveries.attempt (tenant_id, endpoint_id, position, attempted_at, attempt, status, error, milliseconds, answer, headers)
    select o.tenant_id, o.endpoint_id, o.pos, clock_timestamp() - o.ago * interval '1 millisecond', o.attempt, o.status, o.error, o.milliseconds, o.answer,
      o.headers
    from json_to_recordset(outcomes) as o
      (tenant_id uuid, endpoint_id uuid, pos bigint, ago float8, attempt int, status int, error text, milliseconds int, answer text, headers jsonb)
    on conflict do nothing;
  update deliveries.queue q set
    failures = o.failures,
    failing_since = case when o.failures > 0 then coalesce(q.failing_since, o.failed_at) end,
    succeeded_at = coalesce(o.succeeded_at, q.succeeded_at), failed_at = coalesce(o.failed_at, q.failed_at), error = coalesce(o.error, q.error)
  from (select r.tenant_id, r.endpoint_id,
      clock_timestamp() - min(r.ago) filter (where r.state = 'delivered') * interval '1 millisecond' as succeeded_at,
      clock_timestamp() - min(r.ago) filter (where r.state <> 'delivered') * interval '1 millisecond' as failed_at,
      (array_agg(r.failures order by r.n desc))[1] as failures, (array_agg(r.error order by r.n desc) filter (where r.error is not null))[1] as error
    from json_to_recordset(outcomes) as r (tenant_id uuid, endpoint_id uuid, state text, ago float8, error text, failures int, n int)
    group by r.tenant_id, r.endpoint_id) o
  where q.tenant_id = o.tenant_id and q.endpoint_id = o.endpoint_id and q.owner = an_owner
    and (o.failures > 0 or q.failures > 0 or o.failed_at is not null or coalesce(q.succeeded_at < clock_timestamp() - interval '5 seconds', true));
end $$;
alter function deliveries.settle(uuid, json) owner to {{job:deliveries}};
revoke execute on function deliveries.settle(uuid, json) from public;
grant execute on function deliveries.settle(uuid, json) to {{app}};

-- An endpoint answers again: what it refused meanwhile need not wait for its hour, and comes within a minute.
create or replace function deliveries.recover(an_owner uuid, a_tenant uuid, an_endpoint uuid) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  update deliveries.delivery d set next_at = clock_timestamp() + random() * interval '60 seconds'
  from deliveries.queue q
  where q.tenant_id = a_tenant and q.endpoint_id = an_endpoint and q.owner = an_owner
    and d.tenant_id = a_tenant and d.endpoint_id = an_endpoint and d.state = 'pending' and d.next_at > clock_timestamp() + interval '60 seconds';
  update deliveries.queue q set due_at = clock_timestamp() + interval '1 second'
    where q.tenant_id = a_tenant and q.endpoint_id = an_endpoint and q.owner = an_owner and q.due_at > clock_timestamp() + interval '1 second'
$$;
alter function deliveries.recover(uuid, uuid, uuid) owner to {{job:deliveries}};
revoke execute on function deliveries.recover(uuid, uuid, uuid) from public;
grant execute on function deliveries.recover(uuid, uuid, uuid) to {{app}};
