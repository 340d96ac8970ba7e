-- What the application's own login may not do to the ledger, whatever it sends: each kind of entry is held to what it is.

-- A month that was never posted into is open, unless a later year was closed: what lies before a closed year is closed with it.
-- Who closes a year takes this lock for itself, and so sees every month that others are about to open.
create function accounting.lock_years(p_tenant uuid, p_alone boolean) returns void
language sql set search_path = accounting, pg_temp as $$
  select case when p_alone then pg_advisory_xact_lock(hashtextextended('accounting.years ' || p_tenant, 0))
    else pg_advisory_xact_lock_shared(hashtextextended('accounting.years ' || p_tenant, 0)) end
$$;

-- Holds a month open until the transaction ends, for what is dated in it and posts no entry. AC001: it is closed.
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

-- Writes an entry: its month locked, its number taken, its balances moved. For the functions below only. Errors: see post_entry.
create function accounting.write_entry(
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

-- Posts one entry into the books of the transaction's tenant: locks its month, numbers it, writes it with its postings and
-- moves the balances. Answers its number. The postings come by columns, in order.
-- Entries of documents, payments, exchange differences and revaluations, and their reversals, stand only where the sub-ledger
-- says the same when the transaction ends (require_claim).
-- Errors: AC001 the month is closed; AC002 an account is unknown or archived; AC004 receivables or payables by hand; 22003 an
-- amount or a balance beyond bigint or 10^17; 22023 no such kind, base amounts that the rate does not give, or a reversal that
-- is no mirror; 23505 on entry_tenant_id_reverses_key: the entry was reversed before.
create or replace function accounting.post_entry(
  p_entry uuid, p_date date, p_currency text, p_rate numeric, p_narration text, p_kind text, p_source uuid,
  p_reverses uuid, p_event uuid, p_debit uuid[], p_credit uuid[], p_amount bigint[], p_base bigint[],
  p_debit_memo text[], p_credit_memo text[]
) returns bigint
language plpgsql security definer set search_path = accounting, pg_temp as $$
declare
  v_origin entry;
begin
  if p_kind is null or p_kind not in ('journal', 'opening', 'bank_line', 'invoice', 'credit_note', 'bill', 'supplier_credit', 'payment',
    'exchange', 'revaluation', 'reversal') or (p_kind = 'reversal') <> (p_reverses is not null) then
    raise exception '% is no kind of entry that is posted like this', p_kind using errcode = '22023';
  end if;
  if p_kind = 'reversal' then
    select * into v_origin from entry
    where tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and entry_id = p_reverses;
    if not found or v_origin.kind in ('closing', 'reversal') or v_origin.currency <> p_currency or v_origin.rate <> p_rate
      or p_date < v_origin.posting_date or (
        select count(*) from posting o
        join unnest(p_debit, p_credit, p_amount, p_base) with ordinality as m (debit, credit, amount, base, line) on m.line = o.line
        where o.tenant_id = v_origin.tenant_id and o.entry_id = v_origin.entry_id
          and (m.debit, m.credit, m.amount, m.base) = (o.credit_account_id, o.debit_account_id, o.amount, o.base_amount)
      ) <> greatest(cardinality(p_debit), (
        select count(*) from posting o where o.tenant_id = v_origin.tenant_id and o.entry_id = v_origin.entry_id)) then
      raise exception 'a reversal is the mirror of an entry, on its day or later' using errcode = '22023';
    end if;
  end if;
  return write_entry(p_entry, p_date, p_currency, p_rate, p_narration, p_kind, p_source, p_reverses, p_event,
    p_debit, p_credit, p_amount, p_base, p_debit_memo, p_credit_memo);
end
$$;
drop trigger control on accounting.posting;
drop function accounting.guard_control();

-- Opens or closes a month, and waits for the postings under way in it. AC003: it is of a year whose profit was carried forward,
-- or lies before one, and is not opened. Answers whether the status changed.
drop function accounting.set_period(date, text, boolean);
create function accounting.set_period(p_month date, p_status text) returns boolean
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

-- Closes the fiscal year that begins with a month: its twelve months, for good, and what income and expense accounts hold to
-- retained earnings, by one entry on its last day. Answers that entry's number; null where there was nothing to carry.
-- Errors: AC003 it was closed before; AC005 it is not over by this clock; AC006 there are open months before it; 22023 no fiscal
-- year begins there.
create function accounting.close_year(p_first date, p_entry uuid, p_event uuid, p_narration text) returns bigint
language plpgsql security definer set search_path = accounting, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_book book;
  v_end date := (p_first + interval '1 year')::date - 1;
  v_earnings uuid;
  v_debit uuid[];
  v_credit uuid[];
  v_amount bigint[];
  v_none text[];
begin
  select * into v_book from book where tenant_id = v_tenant;
  if not found then
    raise exception 'a year is closed in a transaction of its tenant' using errcode = '42501';
  end if;
  if p_first is null or extract(day from p_first) <> 1 or extract(month from p_first) <> v_book.fiscal_year_start_month
    or p_first not between '1900-01-01' and '2198-12-31' then
    raise exception 'no fiscal year begins on %', p_first using errcode = '22023';
  end if;
  if (clock_timestamp() at time zone 'UTC')::date <= v_end then
    raise exception 'the fiscal year ends on %', v_end using errcode = 'AC005';
  end if;
  perform lock_years(v_tenant, true);
  if exists (select from period where tenant_id = v_tenant and month >= p_first and year_closed) then
    raise exception 'the fiscal year from % on, or a later one, is closed', p_first using errcode = 'AC003';
  end if;
  if exists (select from period where tenant_id = v_tenant and month < p_first and not year_closed) then
    raise exception 'there are postings before % in a year that is not closed', p_first using errcode = 'AC006';
  end if;
  insert into period (tenant_id, month)
  select v_tenant, (p_first + n * interval '1 month')::date from generate_series(0, 11) n order by n on conflict do nothing;
  perform from period where tenant_id = v_tenant and month between p_first and v_end order by month for update;
  update period set status = 'closed', year_closed = true, changed_at = clock_timestamp()
  where tenant_id = v_tenant and month between p_first and v_end;

  select account_id into v_earnings from account where tenant_id = v_tenant and control = 'retained_earnings';
  -- Each side laid end to end: where a stretch of one meets a stretch of the other, that is a posting.
  with held as (
    select b.account_id, (sum(b.base_credit) - sum(b.base_debit))::bigint as net
    from balance b join account a on a.tenant_id = b.tenant_id and a.account_id = b.account_id
    where b.tenant_id = v_tenant and b.month <= v_end and a.type in ('income', 'expense')
    group by b.account_id
  ), sides as (
    select account_id, net from held where net <> 0
    union all select v_earnings, -sum(net)::bigint from held having sum(net) <> 0
  ), laid as (
    select account_id, net > 0 as debit, abs(net) as size,
      sum(abs(net)) over (partition by net > 0 order by account_id = v_earnings, account_id) as upto
    from sides
  )
  select array_agg(d.account_id order by d.upto, c.upto), array_agg(c.account_id order by d.upto, c.upto),
    array_agg((least(d.upto, c.upto) - greatest(d.upto - d.size, c.upto - c.size))::bigint order by d.upto, c.upto),
    array_agg(null::text)
  into v_debit, v_credit, v_amount, v_none
  from laid d join laid c on d.debit and not c.debit and d.upto - d.size < c.upto and c.upto - c.size < d.upto;
  if v_debit is null then
    return null;
  end if;
  return write_entry(p_entry, v_end, v_book.base_currency, 1, p_narration, 'closing', null, null, p_event,
    v_debit, v_credit, v_amount, v_amount, v_none, v_none);
end
$$;

-- Rates of days in closed months stay what they were when the month was closed. AC001.
create function accounting.guard_rate() returns trigger language plpgsql set search_path = accounting, pg_temp as $$
begin
  if exists (
    select from period where tenant_id = new.tenant_id and (
      month = date_trunc('month', new.day)::date and status = 'closed' or month > new.day and year_closed)) then
    raise exception 'the month of % is closed', new.day using errcode = 'AC001';
  end if;
  return new;
end
$$;
create trigger closed before insert or update on accounting.rate for each row execute function accounting.guard_rate();
revoke update on accounting.rate from {{app}};
grant update (rate) on accounting.rate to {{app}};

grant create on schema accounting to {{job:ledger}};
alter function accounting.write_entry(uuid, date, text, numeric, text, text, uuid, uuid, uuid, uuid[], uuid[], bigint[], bigint[], text[], text[])
  owner to {{job:ledger}};
alter function accounting.set_period(date, text) owner to {{job:ledger}};
alter function accounting.close_year(date, uuid, uuid, text) owner to {{job:ledger}};
alter function accounting.lock_years(uuid, boolean) owner to {{job:ledger}};
revoke create on schema accounting from {{job:ledger}};
revoke all on function accounting.write_entry(uuid, date, text, numeric, text, text, uuid, uuid, uuid, uuid[], uuid[], bigint[], bigint[], text[], text[])
  from public;
revoke all on function accounting.lock_years(uuid, boolean) from public;
revoke all on function accounting.set_period(date, text) from public;
revoke all on function accounting.close_year(date, uuid, uuid, text) from public;
grant execute on function accounting.set_period(date, text) to {{app}};
grant execute on function accounting.close_year(date, uuid, uuid, text) to {{app}};
