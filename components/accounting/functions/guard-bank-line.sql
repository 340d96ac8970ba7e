-- Lines come on days that are not agreed yet. AC007: the day is. Lines are looked for only where an account is reconciled: of an
-- account that never was, each line of a first import would look through all before it.
create or replace function accounting.guard_bank_line() returns trigger
language plpgsql security definer set search_path = accounting, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  perform lock_bank(new.account_id);
  if new.day <= reconciled_to(new.tenant_id, new.account_id) then
    if not exists (select from bank_line where tenant_id = new.tenant_id and account_id = new.account_id and bank_id = new.bank_id) then
      raise exception 'the account is reconciled beyond %', new.day using errcode = 'AC007';
    end if;
  end if;
  if not exists (
    select from bank_statement where tenant_id = new.tenant_id and statement_id = new.statement_id and account_id = new.account_id) then
    raise exception 'a line is of the account of its statement' using errcode = '42501';
  end if;
  return new;
end
$$;
alter function accounting.guard_bank_line() owner to {{job:ledger}};
-- A trigger needs no right to execute its function; a role with that right could use it on a table of its own.
revoke execute on function accounting.guard_bank_line() from public;

create or replace trigger agreed before insert on accounting.bank_line for each row execute function accounting.guard_bank_line();
