-- The last day up to which an account agrees with its bank; null where it never did.
create or replace function accounting.reconciled_to(p_tenant uuid, p_account uuid) returns date
language sql stable set search_path = accounting, pg_temp as $$
  select max(to_day) from reconciliation where tenant_id = p_tenant and account_id = p_account and undone_at is null
$$;
alter function accounting.reconciled_to(uuid, uuid) owner to {{job:ledger}};
