-- Posts one entry into the books of the transaction's tenant: locks its month, numbers it, writes it with its postings and
-- moves the balances. Answers its number. The postings come by columns, in order.
-- Errors: AC001 the month is closed; AC002 an account is unknown or archived; 22003 an amount or a balance beyond bigint;
-- 23505 on entry_tenant_id_reverses_key: the entry was reversed before.
create function accounting.post_entry(
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
  v_missing uuid;
begin
  if v_tenant is null then
    raise exception 'an entry is posted in a transaction of its tenant' using errcode = '42501';
  end if;
  if v_lines = 0 or v_lines <> cardinality(p_credit) or v_lines <> cardinality(p_amount) or v_lines <> cardinality(p_base)
    or v_lines <> cardinality(p_debit_memo) or v_lines <> cardinality(p_credit_memo) then
    raise exception 'an entry has at least one posting, and columns of one length' using errcode = '22023';
  end if;

  select status into v_status from period where tenant_id = v_tenant and month = v_month for share;
  if not found then
    insert into period (tenant_id, month) values (v_tenant, v_month) on conflict do nothing;
    select status into v_status from period where tenant_id = v_tenant and month = v_month for share;
  end if;
  -- The entry that carries a year's profit away is posted once its months are closed.
  if v_status <> 'open' and p_kind <> 'closing' then
    raise exception 'the month of % is closed', p_date using errcode = 'AC001';
  end if;

  -- In the order of the accounts, as the balances below: two entries never wait for one another crosswise.
  select wanted.account_id into v_missing
  from (select unnest(p_debit) as account_id union select unnest(p_credit)) wanted
  where not exists (
    select from account a where a.tenant_id = v_tenant and a.account_id = wanted.account_id and a.archived_at is null)
  limit 1;
  if found then
    raise exception 'account % is not in use', v_missing using errcode = 'AC002';
  end if;

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

-- Opens or closes a month, and waits for the postings under way in it. p_carried: its year's profit is carried forward, which
-- is not taken back: AC003 where such a month is to be opened. Answers whether the status changed.
create function accounting.set_period(p_month date, p_status text, p_carried boolean) returns boolean
language plpgsql security definer set search_path = accounting, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_before record;
begin
  if v_tenant is null then
    raise exception 'a month is closed in a transaction of its tenant' using errcode = '42501';
  end if;
  insert into period (tenant_id, month) values (v_tenant, p_month) on conflict do nothing;
  select status, year_closed into v_before from period where tenant_id = v_tenant and month = p_month for update;
  if v_before.year_closed and p_status = 'open' then
    raise exception 'the year of % was carried forward', p_month using errcode = 'AC003';
  end if;
  update period set status = p_status, year_closed = v_before.year_closed or p_carried, changed_at = clock_timestamp()
  where tenant_id = v_tenant and month = p_month;
  return v_before.status <> p_status;
end
$$;

grant create on schema accounting to {{job:ledger}};
alter function accounting.post_entry(uuid, date, text, numeric, text, text, uuid, uuid, uuid, uuid[], uuid[], bigint[], bigint[], text[], text[])
  owner to {{job:ledger}};
alter function accounting.set_period(date, text, boolean) owner to {{job:ledger}};
revoke create on schema accounting from {{job:ledger}};
revoke all on function accounting.post_entry(uuid, date, text, numeric, text, text, uuid, uuid, uuid, uuid[], uuid[], bigint[], bigint[], text[], text[])
  from public;
revoke all on function accounting.set_period(date, text, boolean) from public;
grant execute on function accounting.post_entry(uuid, date, text, numeric, text, text, uuid, uuid, uuid, uuid[], uuid[], bigint[], bigint[], text[], text[])
  to {{app}};
grant execute on function accounting.set_period(date, text, boolean) to {{app}};

-- Whether an entry carries a year's profit forward: reports of a period leave those out.
create function accounting.carries_forward(p_tenant uuid, p_entry uuid) returns boolean
language sql stable set search_path = accounting, pg_temp as $$
  select exists (select from entry where tenant_id = p_tenant and entry_id = p_entry and kind = 'closing')
$$;
