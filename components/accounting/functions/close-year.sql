-- Closes the fiscal year that begins with a month: its twelve months, for good, and what income and expense accounts hold to
-- retained earnings, by one entry on its last day. Answers that entry's number; null where there was nothing to carry.
-- Errors: AC003 it was closed before; AC005 it is not over by this clock; AC006 there are open months before it; 22023 no fiscal
-- year begins there.
create or replace function accounting.close_year(p_first date, p_entry uuid, p_event uuid, p_narration text) returns bigint
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
alter function accounting.close_year(date, uuid, uuid, text) owner to {{job:ledger}};
revoke execute on function accounting.close_year(date, uuid, uuid, text) from public;
grant execute on function accounting.close_year(date, uuid, uuid, text) to {{app}};

-- Whether an entry carries a year's profit forward: reports of a period leave those out.
create or replace function accounting.carries_forward(p_tenant uuid, p_entry uuid) returns boolean
language sql stable set search_path = accounting, pg_temp as $$
  select exists (select from entry where tenant_id = p_tenant and entry_id = p_entry and kind = 'closing')
$$;
