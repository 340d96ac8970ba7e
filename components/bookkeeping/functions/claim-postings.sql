-- Leases what is due in the books and nobody is working on. A lease only saves work from being done twice; that it counts once is decided by the
-- lock on the posting itself.
create or replace function bookkeeping.claim_postings(lease interval, most int)
returns table (tenant_id uuid, posting_id uuid, cause_id uuid, correlation_id text, leased_until timestamptz)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update bookkeeping.posting p set next_at = clock_timestamp() + lease
  from (
    select w.tenant_id, w.posting_id from bookkeeping.posting w where w.next_at <= clock_timestamp()
    order by w.next_at limit most for update skip locked) due
  where p.tenant_id = due.tenant_id and p.posting_id = due.posting_id
  returning p.tenant_id, p.posting_id, p.cause_id, p.correlation_id, p.next_at
$$;
alter function bookkeeping.claim_postings(interval, int) owner to {{job:bookkeeping}};
revoke execute on function bookkeeping.claim_postings(interval, int) from public;
grant execute on function bookkeeping.claim_postings(interval, int) to {{app}};
