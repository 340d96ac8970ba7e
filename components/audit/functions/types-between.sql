-- The types that a tenant's events have, of those from p_from on and before p_before, by skipping from one to the next
-- in the index. Runs as the caller.
create or replace function audit.types_between(p_tenant uuid, p_from text, p_before text) returns setof text
language plpgsql stable rows 20 set search_path = audit, pg_temp as $$
declare
  v_type text collate "C";
begin
  select e.type into v_type from audit.event e
  where e.tenant_id = p_tenant and e.type >= p_from and e.type < p_before order by e.type limit 1;
  while v_type is not null loop
    return next v_type;
    select e.type into v_type from audit.event e
    where e.tenant_id = p_tenant and e.type > v_type and e.type < p_before order by e.type limit 1;
  end loop;
end
$$;
revoke execute on function audit.types_between(uuid, text, text) from public;
grant execute on function audit.types_between(uuid, text, text) to {{app}};
