-- Changes of transactions at or after `since`, and the next `since`: the oldest transaction still running in this
-- snapshot, so that one which commits late is not missed. The same change may be answered again.
create or replace function identity.standing_changes(since xid8) returns table (horizon xid8, ids bigint[], tenants uuid[])
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select pg_snapshot_xmin(pg_current_snapshot()), coalesce(array_agg(c.id), '{}'), coalesce(array_agg(c.tenant_id), '{}')
  from identity.standing_change c where c.xid >= since
$$;
alter function identity.standing_changes(xid8) owner to {{job:directory}};
revoke execute on function identity.standing_changes(xid8) from public;
grant execute on function identity.standing_changes(xid8) to {{app}};

-- Longer than any transaction may last, and than a process trusts its place in the feed.
create or replace function identity.prune_standing_changes() returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  delete from identity.standing_change where (tenant_id, id) in (
    select tenant_id, id from identity.standing_change
    where changed_at < clock_timestamp() - interval '10 minutes' limit 10000)
$$;
alter function identity.prune_standing_changes() owner to {{job:directory}};
revoke execute on function identity.prune_standing_changes() from public;
grant execute on function identity.prune_standing_changes() to {{app}};
