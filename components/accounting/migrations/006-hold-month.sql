-- Holds a month open until the transaction ends, for what is dated in it and posts no entry. AC001: it is closed.
create function accounting.hold_month(p_day date) returns void
language plpgsql security definer set search_path = accounting, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_month date := p_day - (extract(day from p_day)::int - 1);
  v_status text;
begin
  if v_tenant is null then
    raise exception 'a month is held in a transaction of its tenant' using errcode = '42501';
  end if;
  insert into period (tenant_id, month) values (v_tenant, v_month) on conflict do nothing;
  select status into v_status from period where tenant_id = v_tenant and month = v_month for share;
  if v_status <> 'open' then
    raise exception 'the month of % is closed', p_day using errcode = 'AC001';
  end if;
end
$$;
grant create on schema accounting to {{job:ledger}};
alter function accounting.hold_month(date) owner to {{job:ledger}};
revoke create on schema accounting from {{job:ledger}};
revoke all on function accounting.hold_month(date) from public;
grant execute on function accounting.hold_month(date) to {{app}};
