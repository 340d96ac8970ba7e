-- Leases a picture that is due to be fetched, of the tenant that waits longest and is not busy. Afterwards all others have their turn first.
create or replace function catalogue.claim_medium(a_lease interval, a_busy uuid[])
returns table (tenant_id uuid, medium_id uuid, source text, attempts int)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
#variable_conflict use_column
declare
  a_tenant uuid;
  an_id uuid;
begin
  -- A turn may have nothing to fetch any more; the next round goes on after so many.
  for tries in 1..50 loop
    select t.tenant_id into a_tenant from catalogue.medium_turn t
    where t.due_at <= clock_timestamp() and t.tenant_id <> all (a_busy)
    order by t.due_at limit 1 for update skip locked;
    exit when not found;
    select m.medium_id into an_id from catalogue.medium m
    where m.tenant_id = a_tenant and m.next_at <= clock_timestamp()
    order by m.next_at limit 1 for update skip locked;
    if found then
      return query update catalogue.medium m set attempts = m.attempts + 1, next_at = clock_timestamp() + a_lease
        where m.tenant_id = a_tenant and m.medium_id = an_id
        returning m.tenant_id, m.medium_id, m.source, m.attempts;
    end if;
    update catalogue.medium_turn t set due_at = greatest(clock_timestamp(), w.next_at)
      from (select min(m.next_at) as next_at from catalogue.medium m where m.tenant_id = a_tenant and m.next_at is not null) w
      where t.tenant_id = a_tenant and w.next_at is not null;
    if not found then
      delete from catalogue.medium_turn t where t.tenant_id = a_tenant;
    end if;
    exit when an_id is not null;
  end loop;
end
$$;
alter function catalogue.claim_medium(interval, uuid[]) owner to {{job:catalogue_media}};
revoke execute on function catalogue.claim_medium(interval, uuid[]) from public;
grant execute on function catalogue.claim_medium(interval, uuid[]) to {{app}};
