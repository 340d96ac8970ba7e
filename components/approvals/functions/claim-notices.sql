-- Leases mail that is due; each lease counts as an attempt.
create or replace function approvals.claim_notices(lease interval, most int)
returns table (tenant_id uuid, action_id uuid, recipient_id text, attempts int)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update approvals.notice n set attempts = n.attempts + 1, next_at = clock_timestamp() + lease
  from (
    select w.tenant_id, w.action_id, w.recipient_id from approvals.notice w
    where w.sent_at is null and w.given_up_at is null and w.next_at <= clock_timestamp()
    order by w.next_at limit most for update skip locked) due
  where n.tenant_id = due.tenant_id and n.action_id = due.action_id and n.recipient_id = due.recipient_id
  returning n.tenant_id, n.action_id, n.recipient_id, n.attempts
$$;
alter function approvals.claim_notices(interval, int) owner to {{job:approvals}};
revoke execute on function approvals.claim_notices(interval, int) from public;
grant execute on function approvals.claim_notices(interval, int) to {{app}};
