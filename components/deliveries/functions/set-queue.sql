-- The transaction's tenant has made an endpoint: there is a queue for it.
create or replace function deliveries.open_queue(an_endpoint uuid) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  insert into deliveries.queue (tenant_id, endpoint_id) values (nullif(current_setting('app.tenant_id', true), '')::uuid, an_endpoint)
$$;
alter function deliveries.open_queue(uuid) owner to {{job:deliveries}};
revoke execute on function deliveries.open_queue(uuid) from public;
grant execute on function deliveries.open_queue(uuid) to {{app}};

-- An endpoint of the transaction's tenant sends now (`runs`), with nothing against it any more, or does not.
create or replace function deliveries.set_running(an_endpoint uuid, runs boolean) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update deliveries.queue q set due_at = case when runs then clock_timestamp() else 'infinity' end, hold_until = null,
      failures = case when runs then 0 else q.failures end, failing_since = case when runs then null else q.failing_since end
    where q.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and q.endpoint_id = an_endpoint
$$;
alter function deliveries.set_running(uuid, boolean) owner to {{job:deliveries}};
revoke execute on function deliveries.set_running(uuid, boolean) from public;
grant execute on function deliveries.set_running(uuid, boolean) to {{app}};

-- An endpoint of the transaction's tenant is deleted: what waits for it is not sent, and is removed later.
create or replace function deliveries.remove_queue(an_endpoint uuid) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update deliveries.queue q set due_at = 'infinity', owner = null, removed_at = clock_timestamp()
    where q.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and q.endpoint_id = an_endpoint
$$;
alter function deliveries.remove_queue(uuid) owner to {{job:deliveries}};
revoke execute on function deliveries.remove_queue(uuid) from public;
grant execute on function deliveries.remove_queue(uuid) to {{app}};
