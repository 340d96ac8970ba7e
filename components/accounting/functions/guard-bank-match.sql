-- A match explains no more than there is of its line, and no more than its entry does to the account: to one in the base
-- currency whatever the entry's own currency is, by its base amounts; to another in that account's currency only.
create or replace function accounting.guard_bank_match() returns trigger
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
  if v_line.withdrawn_at is not null then
    raise exception 'a line that was taken back is not explained' using errcode = '42501';
  end if;
  select v_line.amount - coalesce(sum(amount), 0) into v_line_open
  from bank_match where tenant_id = new.tenant_id and line_id = new.line_id and undone_at is null;
  select coalesce(sum(case p.debit_account_id when v_line.account_id then 1 else -1 end
      * case when a.currency = b.base_currency then p.base_amount else p.amount end), 0) - (
    select coalesce(sum(m.amount), 0) from bank_match m join bank_line l on l.tenant_id = m.tenant_id and l.line_id = m.line_id
    where m.tenant_id = new.tenant_id and m.entry_id = new.entry_id and m.undone_at is null and l.account_id = v_line.account_id)
  into v_entry_open
  from posting p
  join entry e on e.tenant_id = p.tenant_id and e.entry_id = p.entry_id
  join account a on a.tenant_id = p.tenant_id and a.account_id = v_line.account_id
  join book b on b.tenant_id = p.tenant_id and a.currency in (e.currency, b.base_currency)
  where p.tenant_id = new.tenant_id and p.entry_id = new.entry_id and v_line.account_id in (p.debit_account_id, p.credit_account_id);
  if new.undone_at is not null or sign(new.amount) <> sign(v_line_open) or sign(new.amount) <> sign(v_entry_open)
    or abs(new.amount) > abs(v_line_open) or abs(new.amount) > abs(v_entry_open) then
    raise exception 'a match is within what is open of its line and of its entry' using errcode = '42501';
  end if;
  return new;
end
$$;
alter function accounting.guard_bank_match() owner to {{job:ledger}};
-- A trigger needs no right to execute its function; a role with that right could use it on a table of its own.
revoke execute on function accounting.guard_bank_match() from public;

create or replace trigger within before insert or update on accounting.bank_match for each row execute function accounting.guard_bank_match();
