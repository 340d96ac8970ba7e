-- The events of verbs of several tenants that share a transaction, in the order of the tenants. Like audit.record it raises
-- where one is not appended, so that it can travel with the commit.
create function audit.record_together(p_batch text) returns void
language plpgsql set search_path = audit, pg_temp as $$
declare
  v_outcome text;
begin
  select a.outcome into v_outcome from audit.append('wait', false, p_batch) a where a.outcome <> 'appended' limit 1;
  if found then
    raise exception 'an event was not appended: %', v_outcome using errcode = 'AU404';
  end if;
end
$$;
revoke all on function audit.record_together(text) from public;
grant execute on function audit.record_together(text) to {{app}};
