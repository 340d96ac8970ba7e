-- Leases actions that nobody is working on: approved and not carried out, or past their time. A lease only saves work
-- from being done twice; that it counts once is decided by the lock on the action itself.
create or replace function approvals.claim_actions(lease interval, most int) returns table (tenant_id uuid, action_id uuid)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update approvals.action a set lease_until = clock_timestamp() + lease
  from (
    select * from (
      select w.tenant_id, w.action_id from approvals.action w
      where w.state = 'approved' and w.lease_until < clock_timestamp()
      order by w.lease_until limit most for update skip locked) approved
    union all
    select * from (
      select w.tenant_id, w.action_id from approvals.action w
      where w.state = 'pending' and w.expires_at <= clock_timestamp()
        and (w.lease_until is null or w.lease_until < clock_timestamp())
      order by w.expires_at limit most for update skip locked) past) due
  where a.tenant_id = due.tenant_id and a.action_id = due.action_id
  returning a.tenant_id, a.action_id
$$;
alter function approvals.claim_actions(interval, int) owner to {{job:approvals}};
revoke execute on function approvals.claim_actions(interval, int) from public;
grant execute on function approvals.claim_actions(interval, int) to {{app}};
