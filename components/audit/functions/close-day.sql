-- Refuses a day that is not over, and waits until every chain that was being opened on it can be seen: one that is opened
-- from now on begins on a later day.
create or replace function audit.close_day(p_day date) returns void
language plpgsql security definer set search_path = audit, pg_temp as $$
begin
  if p_day >= (clock_timestamp() at time zone 'UTC')::date then
    raise exception 'the day % is not over', p_day using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtext('audit.opening'));
end
$$;
alter function audit.close_day(date) owner to {{job:audit_sealer}};
revoke execute on function audit.close_day(date) from public;
grant execute on function audit.close_day(date) to {{app}};

-- Sets the mark: nothing more is received on that day. It locks heads, and does nothing else under these locks.
-- p_wait: waits for heads that others have locked; otherwise leaves them out. Answers the tenants that have the mark.
create or replace function audit.mark_sealed(p_tenants uuid[], p_day date, p_wait boolean) returns uuid[]
language plpgsql security definer
set search_path = audit, pg_temp set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  v_locked uuid[];
begin
  if p_day >= (clock_timestamp() at time zone 'UTC')::date then
    raise exception 'the day % is not over', p_day using errcode = '22023';
  end if;
  if p_wait then
    select array_agg(l.tenant_id) into v_locked from (
      select h.tenant_id from audit.head h
      where h.tenant_id = any (p_tenants) and (h.sealed_through is null or h.sealed_through < p_day)
      order by h.tenant_id for update) l;
  else
    select array_agg(l.tenant_id) into v_locked from (
      select h.tenant_id from audit.head h
      where h.tenant_id = any (p_tenants) and (h.sealed_through is null or h.sealed_through < p_day)
      order by h.tenant_id for update skip locked) l;
  end if;
  update audit.head h set sealed_through = p_day
  where h.tenant_id = any (v_locked) and (h.sealed_through is null or h.sealed_through < p_day);
  return array(select h.tenant_id from audit.head h where h.tenant_id = any (p_tenants) and h.sealed_through >= p_day);
end
$$;
alter function audit.mark_sealed(uuid[], date, boolean) owner to {{job:audit_sealer}};
revoke execute on function audit.mark_sealed(uuid[], date, boolean) from public;
grant execute on function audit.mark_sealed(uuid[], date, boolean) to {{app}};
