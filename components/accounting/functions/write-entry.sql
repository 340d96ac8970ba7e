-- Writes an entry: its month locked, its number taken, its balances moved. For the functions below only. Errors: see post_entry.
create or replace function accounting.write_entry(
  p_entry uuid, p_date date, p_currency text, p_rate numeric, p_narration text, p_kind text, p_source uuid,
  p_reverses uuid, p_event uuid, p_debit uuid[], p_credit uuid[], p_amount bigint[], p_base bigint[],
  p_debit_memo text[], p_credit_memo text[]
) returns bigint
language plpgsql security definer set search_path = accounting, pg_temp
-- Plans made while the tables were empty must stay right.
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_month date := p_date - (extract(day from p_date)::int - 1);
  v_status text;
  v_number bigint;
  v_lines int := coalesce(cardinality(p_debit), 0);
  v_base text;
  v_unknown int;
  v_archived int;
  v_controls int;
  v_total numeric;
  v_base_total numeric;
begin
  if v_tenant is null then
    raise exception 'an entry is posted in a transaction of its tenant' using errcode = '42501';
  end if;
  if v_lines = 0 or v_lines <> cardinality(p_credit) or v_lines <> cardinality(p_amount) or v_lines <> cardinality(p_base)
    or v_lines <> cardinality(p_debit_memo) or v_lines <> cardinality(p_credit_memo) then
    raise exception 'an entry has at least one posting, and columns of one length' using errcode = '22023';
  end if;
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'a transaction with one snapshot would judge by what is no longer so' using errcode = '25001';
  end if;
  if 100000000000000000 < any (p_amount) then
    raise exception 'a posting is of 10^17 minor units at most' using errcode = '22003';
  end if;

  select status into v_status from period where tenant_id = v_tenant and month = v_month for share;
  -- The entry that carries a year's profit away is posted once its months are closed.
  if v_status is distinct from 'open' and p_kind <> 'closing' then
    perform hold_month(p_date);
  end if;

  select (select base_currency from book where tenant_id = v_tenant), count(*) filter (where a.account_id is null),
    count(a.archived_at), count(*) filter (where a.control in ('receivable', 'payable'))
  into v_base, v_unknown, v_archived, v_controls
  from unnest(p_debit || p_credit) as wanted (account_id)
  left join account a on a.tenant_id = v_tenant and a.account_id = wanted.account_id;
  -- What was posted is undone, and a year's profit carried, whatever has been archived since.
  if v_unknown > 0 or v_archived > 0 and p_kind not in ('closing', 'reversal') then
    raise exception 'an account of the entry is not in use' using errcode = 'AC002';
  end if;
  -- The others are claimed by what writes the sub-ledger, before the transaction ends.
  if v_controls > 0 and p_kind in ('journal', 'opening', 'bank_line', 'closing') then
    raise exception 'receivables and payables are posted to by documents and payments' using errcode = 'AC004';
  end if;
  if p_currency = v_base then
    if p_rate <> 1 or p_base <> p_amount then
      raise exception 'amounts in the base currency are their own base amounts' using errcode = '22023';
    end if;
  else
    -- Rounded once, half away from zero, and spread: no line is a whole unit off its part.
    select sum(amount), sum(base) into v_total, v_base_total from unnest(p_amount, p_base) as u (amount, base);
    if v_base_total <> round(v_total * p_rate * ('1e' || minor_digits(v_base) - minor_digits(p_currency))::numeric)
      or exists (select from unnest(p_amount, p_base) as u (amount, base) where abs(base * v_total - amount * v_base_total) >= v_total) then
      raise exception 'base amounts are not what the rate gives' using errcode = '22023';
    end if;
  end if;

  -- In the order of the accounts: two entries never wait for one another crosswise.
  insert into balance as b (tenant_id, account_id, currency, month, closing, debit, credit, base_debit, base_credit)
  select v_tenant, account_id, p_currency, v_month, p_kind = 'closing', sum(debit), sum(credit), sum(base_debit), sum(base_credit)
  from (
    select account_id, amount as debit, 0 as credit, base as base_debit, 0 as base_credit
    from unnest(p_debit, p_amount, p_base) as d (account_id, amount, base)
    union all
    select account_id, 0, amount, 0, base from unnest(p_credit, p_amount, p_base) as c (account_id, amount, base)
  ) sides
  group by account_id order by account_id
  on conflict (tenant_id, account_id, currency, month, closing) do update
  set debit = b.debit + excluded.debit, credit = b.credit + excluded.credit,
    base_debit = b.base_debit + excluded.base_debit, base_credit = b.base_credit + excluded.base_credit;

  insert into series as s (tenant_id, name, next) values (v_tenant, 'journal', 2)
  on conflict (tenant_id, name) do update set next = s.next + 1
  returning next - 1 into v_number;

  insert into entry (tenant_id, entry_id, number, posting_date, currency, rate, narration, kind, source_id, reverses, event_id)
  values (v_tenant, p_entry, v_number, p_date, p_currency, p_rate, p_narration, p_kind, p_source, p_reverses, p_event);
  insert into posting (tenant_id, entry_id, line, debit_account_id, credit_account_id, amount, base_amount,
    debit_memo, credit_memo, posting_date, number)
  select v_tenant, p_entry, line, debit, credit, amount, base, debit_memo, credit_memo, p_date, v_number
  from unnest(p_debit, p_credit, p_amount, p_base, p_debit_memo, p_credit_memo) with ordinality
    as l (debit, credit, amount, base, debit_memo, credit_memo, line);
  return v_number;
end
$$;
alter function accounting.write_entry(uuid, date, text, numeric, text, text, uuid, uuid, uuid, uuid[], uuid[], bigint[], bigint[], text[], text[])
  owner to {{job:ledger}};
revoke execute on function accounting.write_entry(uuid, date, text, numeric, text, text, uuid, uuid, uuid, uuid[], uuid[], bigint[], bigint[], text[], text[])
  from public;
