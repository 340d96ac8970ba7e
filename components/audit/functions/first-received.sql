-- The first sequence that was received at p_at or later; one after the head where there is none. received_at never goes
-- backwards, so a binary search over the key finds it. Runs as the caller: row-level security holds. Null for null.
create or replace function audit.first_received(p_tenant uuid, p_at timestamptz) returns bigint
language plpgsql stable strict set search_path = audit, pg_temp as $$
declare
  v_low bigint;
  v_high bigint;
  v_middle bigint;
  v_received timestamptz;
begin
  select h.sequence + 1 into v_high from audit.head h where h.tenant_id = p_tenant;
  select e.sequence into v_low from audit.event e where e.tenant_id = p_tenant order by e.sequence limit 1;
  if v_low is null then
    return coalesce(v_high, 1);
  end if;
  while v_low < v_high loop
    v_middle := v_low + (v_high - v_low) / 2;
    select e.received_at into v_received from audit.event e
    where e.tenant_id = p_tenant and e.sequence >= v_middle order by e.sequence limit 1;
    if v_received < p_at then
      v_low := v_middle + 1;
    else
      v_high := v_middle;
    end if;
  end loop;
  return v_low;
end
$$;
revoke execute on function audit.first_received(uuid, timestamptz) from public;
grant execute on function audit.first_received(uuid, timestamptz) to {{app}};
