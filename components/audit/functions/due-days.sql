-- The next day to seal of each tenant, in the order of the tenants, and where that day begins: after the last sealed
-- day, or where a restored chain continues. A chain that lost all its rows is due too: sealing it must fail.
-- p_day: only tenants that are due on it; p_only: only this tenant.
create or replace function audit.next_days(p_day date, p_only uuid, p_after uuid, p_limit int) returns table (
  tenant_id uuid, next_day date, last_sequence bigint, last_row_hash bytea, resumed int,
  previous_day date, previous_incarnation int, previous_manifest bytea,
  previous_rows_version text, previous_manifest_version text, previous_checkpoint_version text
)
language sql stable security definer
set search_path = audit, pg_temp set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
  select h.tenant_id, coalesce(last.day + 1, first.day, (h.received_at at time zone 'UTC')::date),
    coalesce(resumed.sequence, last.last_sequence, 0),
    coalesce(resumed.row_hash, last.last_row_hash, sha256(convert_to(e'audit-genesis/v1\n' || h.tenant_id::text, 'UTF8'))),
    resumed.incarnation, last.day, last.incarnation, last.manifest_sha256,
    last.rows_version, last.manifest_version, last.checkpoint_version
  from audit.head h
  left join lateral (
    select s.* from audit.sealed_day s where s.tenant_id = h.tenant_id order by s.day desc limit 1) last on true
  left join lateral (
    select (e.received_at at time zone 'UTC')::date as day from audit.event e
    where e.tenant_id = h.tenant_id and last.day is null order by e.sequence limit 1) first on true
  left join lateral (
    select r.sequence, r.row_hash, r.incarnation from audit.restored_chain r
    where r.tenant_id = h.tenant_id and r.incarnation > coalesce(last.incarnation, 0)
    order by r.incarnation desc limit 1) resumed on true
  where h.sequence > 0 and (p_after is null or h.tenant_id > p_after) and (p_only is null or h.tenant_id = p_only)
    and (p_day is null or p_day = coalesce(last.day + 1, first.day, (h.received_at at time zone 'UTC')::date))
  order by h.tenant_id limit p_limit
$$;
alter function audit.next_days(date, uuid, uuid, int) owner to {{job:audit_sealer}};
revoke execute on function audit.next_days(date, uuid, uuid, int) from public;
grant execute on function audit.next_days(date, uuid, uuid, int) to {{app}};

-- The days on which tenants are due up to p_through, and how many tenants on each.
create or replace function audit.due_days(p_through date, p_only uuid) returns table (day date, tenants bigint)
language sql stable security definer set search_path = audit, pg_temp as $$
  select d.next_day, count(*) from audit.next_days(null, p_only, null, null) d where d.next_day <= p_through group by 1 order by 1
$$;
alter function audit.due_days(date, uuid) owner to {{job:audit_sealer}};
revoke execute on function audit.due_days(date, uuid) from public;
grant execute on function audit.due_days(date, uuid) to {{app}};
