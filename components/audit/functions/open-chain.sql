-- Opens the chain of the transaction's own tenant: row_hash(0) = genesis. Answers whether it was new.
create or replace function audit.open_chain(p_tenant uuid) returns boolean
language plpgsql security definer set search_path = audit, pg_temp as $$
begin
  if p_tenant is distinct from nullif(current_setting('app.tenant_id', true), '')::uuid then
    raise exception 'a chain is opened in a transaction of its own tenant' using errcode = '42501';
  end if;
  -- Sealing a day waits for chains that are being opened: their first row may be received in it.
  perform pg_advisory_xact_lock_shared(hashtext('audit.opening'));
  insert into audit.head (tenant_id, row_hash)
  values (p_tenant, sha256(convert_to(e'audit-genesis/v1\n' || p_tenant::text, 'UTF8')))
  on conflict do nothing;
  return found;
end
$$;
alter function audit.open_chain(uuid) owner to {{job:audit_appender}};
revoke execute on function audit.open_chain(uuid) from public;
grant execute on function audit.open_chain(uuid) to {{app}};
