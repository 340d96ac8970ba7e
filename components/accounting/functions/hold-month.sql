-- Closing a year takes this lock exclusively, so it sees every month that others are about to open.
create or replace function accounting.lock_years(p_tenant uuid, p_alone boolean) returns void
language sql set search_path = accounting, pg_temp as $$
  select case when p_alone then pg_advisory_xact_lock(hashtextextended('accounting.years ' || p_tenant, 0))
    else pg_advisory_xact_lock_shared(hashtextextended('accounting.years ' || p_tenant, 0)) end
$$;
alter function accounting.lock_years(uuid, boolean) owner to {{job:ledger}};
revoke execute on function accounting.lock_years(uuid, boolean) from public;

-- Holds a month open until the transaction ends, for what is dated in it and posts no entry. AC001: it is closed. A month that was
-- never posted into is open, unless a later year was closed: what lies before a closed year is closed with it.
create or replace function accounting.hold_month(p_day date) returns void
language plpgsql security definer set search_path = accounting, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_month date := p_day - (extract(day from p_day)::int - 1);
  v_status text;
begin
  if v_tenant is null then
    raise exception 'a month is held in a transaction of its tenant' using errcode = '42501';
  end if;
  if p_day is null or p_day not between '1900-01-01' and '2199-12-31' then
    raise exception 'books are kept from 1900 to 2199' using errcode = '22008';
  end if;
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'a transaction with one snapshot would judge by what is no longer so' using errcode = '25001';
  end if;
  select status into v_status from period where tenant_id = v_tenant and month = v_month for share;
  if not found then
    perform lock_years(v_tenant, false);
    if exists (select from period where tenant_id = v_tenant and month > v_month and year_closed) then
      raise exception 'the month of % lies before a closed year', p_day using errcode = 'AC001';
    end if;
    insert into period (tenant_id, month) values (v_tenant, v_month) on conflict do nothing;
    select status into v_status from period where tenant_id = v_tenant and month = v_month for share;
  end if;
  if v_status <> 'open' then
    raise exception 'the month of % is closed', p_day using errcode = 'AC001';
  end if;
end
$$;
alter function accounting.hold_month(date) owner to {{job:ledger}};
revoke execute on function accounting.hold_month(date) from public;
grant execute on function accounting.hold_month(date) to {{app}};
