-- One row for each change of what somebody may do in a tenant, written in the transaction of the change. Every process
-- polls it and forgets what it cached of that tenant.
create table identity.standing_change (
  tenant_id uuid not null,
  id bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);
create index standing_change_by_xid on identity.standing_change (xid);

alter table identity.standing_change enable row level security;
alter table identity.standing_change force row level security;
create policy tenant on identity.standing_change for insert to {{app}}
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy feed on identity.standing_change to {{job:directory}} using (true);
grant insert (tenant_id) on identity.standing_change to {{app}};
grant select, delete on identity.standing_change to {{job:directory}};
grant create on schema identity to {{job:directory}};

-- Changes of transactions at or after `since`, and the next `since`: the oldest transaction still running in this
-- snapshot, so that one which commits late is not missed. The same change may be answered again.
create function identity.standing_changes(since xid8) returns table (horizon xid8, ids bigint[], tenants uuid[])
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select pg_snapshot_xmin(pg_current_snapshot()), coalesce(array_agg(c.id), '{}'), coalesce(array_agg(c.tenant_id), '{}')
  from identity.standing_change c where c.xid >= since
$$;

-- Longer than any transaction may last, and than a process trusts its place in the feed.
create function identity.prune_standing_changes() returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  delete from identity.standing_change where (tenant_id, id) in (
    select tenant_id, id from identity.standing_change
    where changed_at < clock_timestamp() - interval '10 minutes' limit 10000)
$$;

alter function identity.standing_changes(xid8) owner to {{job:directory}};
alter function identity.prune_standing_changes() owner to {{job:directory}};
revoke create on schema identity from {{job:directory}};
revoke execute on function identity.standing_changes(xid8), identity.prune_standing_changes() from public;
grant execute on function identity.standing_changes(xid8), identity.prune_standing_changes() to {{app}};
