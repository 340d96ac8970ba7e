-- A line is taken back once, where a provider said it, nothing explains it any more, and its day is not agreed.
create or replace function accounting.guard_withdrawal() returns trigger
language plpgsql security definer set search_path = accounting, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  perform lock_bank(new.account_id);
  if old.withdrawn_at is not null or new.withdrawn_at is null then
    raise exception 'a line is taken back once' using errcode = '42501';
  end if;
  if new.day <= reconciled_to(new.tenant_id, new.account_id) then
    raise exception 'the account is reconciled beyond %', new.day using errcode = 'AC007';
  end if;
  if exists (select from bank_match where tenant_id = new.tenant_id and line_id = new.line_id and undone_at is null) then
    raise exception 'a line that entries explain is not taken back' using errcode = '42501';
  end if;
  if not exists (select from bank_statement where tenant_id = new.tenant_id and statement_id = new.statement_id and format = 'feed') then
    raise exception 'what a file said is not taken back' using errcode = '42501';
  end if;
  return new;
end
$$;
alter function accounting.guard_withdrawal() owner to {{job:ledger}};
-- A trigger needs no right to execute its function; a role with that right could use it on a table of its own.
revoke execute on function accounting.guard_withdrawal() from public;

create or replace trigger withdrawn before update on accounting.bank_line for each row execute function accounting.guard_withdrawal();
