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
-- Locks the months and then the balances that several entries of one transaction are going to move, each in one order.
-- Only for what is posted for certain: a balance that is not there yet is made, at nothing.
create function accounting.hold_balances(p_account uuid[], p_currency text[], p_day date[]) returns void
language plpgsql security definer set search_path = accounting, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_month date;
begin
  for v_month in select distinct d - (extract(day from d)::int - 1) from unnest(p_day) as u (d) order by 1 loop
    perform accounting.hold_month(v_month);
  end loop;
  insert into balance as b (tenant_id, account_id, currency, month, closing, debit, credit, base_debit, base_credit)
  select distinct v_tenant, a, c, d - (extract(day from d)::int - 1), false, 0, 0, 0, 0
  from unnest(p_account, p_currency, p_day) as m (a, c, d) order by 2, 3, 4
  on conflict (tenant_id, account_id, currency, month, closing) do update set debit = b.debit;
end
$$;
grant create on schema accounting to {{job:ledger}};
alter function accounting.hold_balances(uuid[], text[], date[]) owner to {{job:ledger}};
alter function accounting.hold_month(date) owner to {{job:ledger}};
revoke create on schema accounting from {{job:ledger}};
revoke all on function accounting.hold_month(date) from public;
grant execute on function accounting.hold_month(date) to {{app}};
revoke all on function accounting.hold_balances(uuid[], text[], date[]) from public;
grant execute on function accounting.hold_balances(uuid[], text[], date[]) to {{app}};

-- Receivables and payables are posted to by what writes the sub-ledger with them, and by mirrors of that; whatever else
-- tries, a journal entry as well as a bank line, would part the two. AC004.
create function accounting.guard_control() returns trigger language plpgsql set search_path = accounting, pg_temp
set plan_cache_mode = force_generic_plan as $$
begin
  if exists (
    select from written w
    join account a on a.tenant_id = w.tenant_id and a.account_id in (w.debit_account_id, w.credit_account_id)
    join entry e on e.tenant_id = w.tenant_id and e.entry_id = w.entry_id
    where a.control in ('receivable', 'payable') and e.kind not in
      ('invoice', 'credit_note', 'bill', 'supplier_credit', 'payment', 'exchange', 'revaluation', 'reversal')) then
    raise exception 'receivables and payables are posted to by documents and payments' using errcode = 'AC004';
  end if;
  return null;
end
$$;
create trigger control after insert on accounting.posting referencing new table as written
  for each statement execute function accounting.guard_control();
