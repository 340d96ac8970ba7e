-- A reconciliation is taken back by a time, the latest of an account first; then it may be made anew.
alter table accounting.reconciliation add column undone_at timestamptz;
alter table accounting.reconciliation drop constraint reconciliation_tenant_id_account_id_to_day_key;
create unique index reconciliation_day on accounting.reconciliation (tenant_id, account_id, to_day) where undone_at is null;
grant update (undone_at) on accounting.reconciliation to {{app}};
grant select on accounting.bank_statement, accounting.bank_line, accounting.bank_match, accounting.reconciliation to {{job:ledger}};

-- Whoever explains lines of an account or agrees it with its bank does so one at a time; the application takes the same lock.
create function accounting.lock_bank(p_account uuid) returns void
language sql set search_path = accounting, pg_temp as $$ select pg_advisory_xact_lock(hashtextextended(p_account::text, 7)) $$;

-- The last day up to which an account agrees with its bank; null where it never did.
create function accounting.reconciled_to(p_tenant uuid, p_account uuid) returns date
language sql stable set search_path = accounting, pg_temp as $$
  select max(to_day) from reconciliation where tenant_id = p_tenant and account_id = p_account and undone_at is null
$$;

-- Lines come on days that are not agreed yet. AC007: the day is.
create function accounting.guard_bank_line() returns trigger
language plpgsql security definer set search_path = accounting, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  perform lock_bank(new.account_id);
  if new.day <= reconciled_to(new.tenant_id, new.account_id)
    and not exists (select from bank_line where tenant_id = new.tenant_id and account_id = new.account_id and bank_id = new.bank_id) then
    raise exception 'the account is reconciled beyond %', new.day using errcode = 'AC007';
  end if;
  if not exists (
    select from bank_statement where tenant_id = new.tenant_id and statement_id = new.statement_id and account_id = new.account_id) then
    raise exception 'a line is of the account of its statement' using errcode = '42501';
  end if;
  return new;
end
$$;
create trigger agreed before insert on accounting.bank_line for each row execute function accounting.guard_bank_line();

-- A match explains no more than there is of its line, and no more than its entry does to the account, in its currency.
create function accounting.guard_bank_match() returns trigger
language plpgsql security definer set search_path = accounting, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_line bank_line;
  v_line_open numeric;
  v_entry_open numeric;
begin
  select * into v_line from bank_line where tenant_id = new.tenant_id and line_id = new.line_id;
  perform lock_bank(v_line.account_id);
  if v_line.day <= reconciled_to(new.tenant_id, v_line.account_id) then
    raise exception 'the account is reconciled beyond %', v_line.day using errcode = 'AC007';
  end if;
  if tg_op = 'UPDATE' then
    if old.undone_at is not null or new.undone_at is null then
      raise exception 'a match is taken back once' using errcode = '42501';
    end if;
    return new;
  end if;
  select v_line.amount - coalesce(sum(amount), 0) into v_line_open
  from bank_match where tenant_id = new.tenant_id and line_id = new.line_id and undone_at is null;
  select coalesce(sum(case p.debit_account_id when v_line.account_id then p.amount else -p.amount end), 0) - (
    select coalesce(sum(m.amount), 0) from bank_match m join bank_line l on l.tenant_id = m.tenant_id and l.line_id = m.line_id
    where m.tenant_id = new.tenant_id and m.entry_id = new.entry_id and m.undone_at is null and l.account_id = v_line.account_id)
  into v_entry_open
  from posting p
  join entry e on e.tenant_id = p.tenant_id and e.entry_id = p.entry_id
  join account a on a.tenant_id = p.tenant_id and a.account_id = v_line.account_id and a.currency = e.currency
  where p.tenant_id = new.tenant_id and p.entry_id = new.entry_id and v_line.account_id in (p.debit_account_id, p.credit_account_id);
  if new.undone_at is not null or sign(new.amount) <> sign(v_line_open) or sign(new.amount) <> sign(v_entry_open)
    or abs(new.amount) > abs(v_line_open) or abs(new.amount) > abs(v_entry_open) then
    raise exception 'a match is within what is open of its line and of its entry' using errcode = '42501';
  end if;
  return new;
end
$$;
create trigger within before insert or update on accounting.bank_match for each row execute function accounting.guard_bank_match();

-- Agreed is what adds up: from where the last one ended, over lines that are explained in full.
create function accounting.guard_reconciliation() returns trigger
language plpgsql security definer set search_path = accounting, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_last reconciliation;
  v_moved numeric;
  v_open bigint;
begin
  perform lock_bank(new.account_id);
  select * into v_last from reconciliation
  where tenant_id = new.tenant_id and account_id = new.account_id and undone_at is null order by to_day desc limit 1;
  if tg_op = 'UPDATE' then
    if old.undone_at is not null or new.undone_at is null or v_last.reconciliation_id <> new.reconciliation_id then
      raise exception 'the latest reconciliation of an account is taken back, once' using errcode = '42501';
    end if;
    return new;
  end if;
  select coalesce(sum(l.amount), 0), count(*) filter (where l.amount <> (
      select coalesce(sum(m.amount), 0) from bank_match m
      where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null))
  into v_moved, v_open
  from bank_line l
  where l.tenant_id = new.tenant_id and l.account_id = new.account_id and l.day <= new.to_day
    and (v_last.to_day is null or l.day > v_last.to_day);
  if new.undone_at is not null or new.to_day <= v_last.to_day or new.opening <> v_last.closing
    or new.opening + v_moved <> new.closing or v_open > 0 then
    raise exception 'an account is agreed with its bank where lines and balances add up' using errcode = '42501';
  end if;
  return new;
end
$$;
create trigger agreed before insert or update on accounting.reconciliation
  for each row execute function accounting.guard_reconciliation();

grant create on schema accounting to {{job:ledger}};
alter function accounting.lock_bank(uuid) owner to {{job:ledger}};
alter function accounting.reconciled_to(uuid, uuid) owner to {{job:ledger}};
alter function accounting.guard_bank_line() owner to {{job:ledger}};
alter function accounting.guard_bank_match() owner to {{job:ledger}};
alter function accounting.guard_reconciliation() owner to {{job:ledger}};
revoke create on schema accounting from {{job:ledger}};
