-- Replaces the outflow of an action that is not settled; stores the outflow of anything else once.
create or replace function approvals.keep_outflow(p_id uuid, p_tool text, p_currencies text[], p_taken bigint[], p_owed bigint[]) returns void
language plpgsql security definer set search_path = approvals, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
begin
  if exists (
    select from action where tenant_id = v_tenant and action_id = p_id and state in ('pending', 'approved')) then
    delete from outflow where tenant_id = v_tenant and outflow_id = p_id;
  elsif exists (select from outflow where tenant_id = v_tenant and outflow_id = p_id) then
    raise exception 'what was taken stays as it is' using errcode = '42501';
  end if;
  insert into outflow (tenant_id, outflow_id, currency, tool, taken, owed)
  select v_tenant, p_id, f.currency, p_tool, f.taken, f.owed
  from unnest(p_currencies, p_taken, p_owed) as f (currency, taken, owed);
end
$$;
alter function approvals.keep_outflow(uuid, text, text[], bigint[], bigint[]) owner to {{job:approvals_outflow}};
revoke execute on function approvals.keep_outflow(uuid, text, text[], bigint[], bigint[]) from public;
grant execute on function approvals.keep_outflow(uuid, text, text[], bigint[], bigint[]) to {{app}};
