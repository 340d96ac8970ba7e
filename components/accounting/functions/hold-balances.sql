-- Locks the months and then the balances that several entries of one transaction are going to move, each in one order.
-- Only for what is posted for certain: a balance that is not there yet is made, at nothing.
create or replace function accounting.hold_balances(p_account uuid[], p_currency text[], p_day date[]) returns void
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
alter function accounting.hold_balances(uuid[], text[], date[]) owner to {{job:ledger}};
revoke execute on function accounting.hold_balances(uuid[], text[], date[]) from public;
grant execute on function accounting.hold_balances(uuid[], text[], date[]) to {{app}};
