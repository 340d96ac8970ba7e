-- Removes what was settled long ago, and what deleted endpoints left; so many rows at a time. Answers how many.
create or replace function deliveries.tidy(keep interval, most int) returns int
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  gone int;
  all_gone int := 0;
begin
  delete from deliveries.delivery d using (select w.tenant_id, w.endpoint_id, w.position from deliveries.delivery w
      where w.settled_at < statement_timestamp() - keep order by w.settled_at limit most for update skip locked) due
    where d.tenant_id = due.tenant_id and d.endpoint_id = due.endpoint_id and d.position = due.position;
  get diagnostics gone = row_count;
  all_gone := all_gone + gone;
  delete from deliveries.attempt a using (select w.tenant_id, w.endpoint_id, w.position, w.attempted_at from deliveries.attempt w
      where w.attempted_at < statement_timestamp() - keep order by w.attempted_at limit most for update skip locked) due
    where a.tenant_id = due.tenant_id and a.endpoint_id = due.endpoint_id and a.position = due.position and a.attempted_at = due.attempted_at;
  get diagnostics gone = row_count;
  all_gone := all_gone + gone;
  delete from deliveries.delivery d using (select w.tenant_id, w.endpoint_id, w.position
      from (select * from deliveries.queue where removed_at is not null limit 10) q
      cross join lateral (select * from deliveries.delivery o where o.tenant_id = q.tenant_id and o.endpoint_id = q.endpoint_id limit most) w
      limit most) due
    where d.tenant_id = due.tenant_id and d.endpoint_id = due.endpoint_id and d.position = due.position;
  get diagnostics gone = row_count;
  all_gone := all_gone + gone;
  delete from deliveries.queue q where q.removed_at < statement_timestamp() - interval '1 minute'
    and not exists (select from deliveries.delivery d where d.tenant_id = q.tenant_id and d.endpoint_id = q.endpoint_id);
  return all_gone;
end $$;
alter function deliveries.tidy(interval, int) owner to {{job:deliveries}};
revoke execute on function deliveries.tidy(interval, int) from public;
grant execute on function deliveries.tidy(interval, int) to {{app}};

-- Endpoints that have not been active for so long that nothing is kept for them any more, and that still have something waiting or are only paused.
create or replace function deliveries.abandoned(since interval, most int) returns table (tenant_id uuid, endpoint_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select e.tenant_id, e.endpoint_id from deliveries.endpoint e
  where e.status <> 'active' and e.status_at < statement_timestamp() - since
    and (e.status = 'paused' or exists (select from deliveries.delivery d
      where d.tenant_id = e.tenant_id and d.endpoint_id = e.endpoint_id and d.state = 'pending'))
  limit most
$$;
alter function deliveries.abandoned(interval, int) owner to {{job:deliveries}};
revoke execute on function deliveries.abandoned(interval, int) from public;
grant execute on function deliveries.abandoned(interval, int) to {{app}};

-- What waits for an endpoint of the transaction's tenant is given up, so many rows at a time. Answers how many.
create or replace function deliveries.drop_waiting(an_endpoint uuid, most int) returns int
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
declare
  gone int;
begin
  delete from deliveries.delivery d using (select w.position from deliveries.delivery w
      where w.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and w.endpoint_id = an_endpoint and w.state = 'pending'
      limit most) due
    where d.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and d.endpoint_id = an_endpoint and d.position = due.position;
  get diagnostics gone = row_count;
  return gone;
end $$;
alter function deliveries.drop_waiting(uuid, int) owner to {{job:deliveries}};
revoke execute on function deliveries.drop_waiting(uuid, int) from public;
grant execute on function deliveries.drop_waiting(uuid, int) to {{app}};
