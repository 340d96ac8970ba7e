-- Orders of the transaction's tenant lost their person: what agents were told of them, and what they answered, goes too.
create or replace function deliveries.forget(subjects text[]) returns int
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
declare
  a_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  gone int;
begin
  delete from deliveries.attempt a using deliveries.delivery d
    where d.tenant_id = a_tenant and d.subject = any (subjects) and d.occurred_at is not null
      and a.tenant_id = a_tenant and a.endpoint_id = d.endpoint_id and a.position = d.position;
  delete from deliveries.delivery d where d.tenant_id = a_tenant and d.subject = any (subjects) and d.occurred_at is not null;
  get diagnostics gone = row_count;
  return gone;
end $$;
alter function deliveries.forget(text[]) owner to {{job:deliveries}};
revoke execute on function deliveries.forget(text[]) from public;
grant execute on function deliveries.forget(text[]) to {{app}};
