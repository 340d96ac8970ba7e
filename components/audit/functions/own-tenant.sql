-- The tenant of the transaction; what calls this works on no other.
create or replace function audit.own_tenant() returns uuid language plpgsql stable set search_path = audit, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
begin
  if v_tenant is null then
    raise exception 'this belongs into a transaction of a tenant' using errcode = '42501';
  end if;
  return v_tenant;
end
$$;
revoke execute on function audit.own_tenant() from public;
grant execute on function audit.own_tenant() to {{job:audit_personal}};
