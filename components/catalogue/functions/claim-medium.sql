-- Leases a picture that is due to be fetched.
create or replace function catalogue.claim_medium(a_lease interval)
returns table (tenant_id uuid, medium_id uuid, source text, attempts int)
language sql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  with due as (
    select m.tenant_id, m.medium_id from catalogue.medium m where m.next_at <= statement_timestamp()
    order by m.next_at limit 1 for update skip locked)
  update catalogue.medium m set attempts = m.attempts + 1, next_at = statement_timestamp() + a_lease
  from due where m.tenant_id = due.tenant_id and m.medium_id = due.medium_id
  returning m.tenant_id, m.medium_id, m.source, m.attempts
$$;
alter function catalogue.claim_medium(interval) owner to {{job:catalogue_media}};
revoke execute on function catalogue.claim_medium(interval) from public;
grant execute on function catalogue.claim_medium(interval) to {{app}};
