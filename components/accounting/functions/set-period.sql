-- Opens or closes a month, and waits for the postings under way in it. p_carried: its year's profit is carried forward, which
-- is not taken back: AC003 where such a month is to be opened. Answers whether the status changed.
create or replace function accounting.set_period(p_month date, p_status text) returns boolean
language plpgsql security definer set search_path = accounting, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_before text;
begin
  if v_tenant is null then
    raise exception 'a month is closed in a transaction of its tenant' using errcode = '42501';
  end if;
  if p_month is null or p_month not between '1900-01-01' and '2199-12-31' then
    raise exception 'books are kept from 1900 to 2199' using errcode = '22008';
  end if;
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'a transaction with one snapshot would judge by what is no longer so' using errcode = '25001';
  end if;
  perform lock_years(v_tenant, false);
  if p_status = 'open' and exists (select from period where tenant_id = v_tenant and month >= p_month and year_closed) then
    raise exception 'the year of % was carried forward', p_month using errcode = 'AC003';
  end if;
  insert into period (tenant_id, month) values (v_tenant, p_month) on conflict do nothing;
  select status into v_before from period where tenant_id = v_tenant and month = p_month for update;
  update period set status = p_status, changed_at = clock_timestamp() where tenant_id = v_tenant and month = p_month;
  return v_before <> p_status;
end
$$;
alter function accounting.set_period(date, text) owner to {{job:ledger}};
revoke execute on function accounting.set_period(date, text) from public;
grant execute on function accounting.set_period(date, text) to {{app}};
