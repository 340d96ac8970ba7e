-- Agreed is what adds up: from where the last one ended, over lines that are explained in full.
create or replace function accounting.guard_reconciliation() returns trigger
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
  where l.tenant_id = new.tenant_id and l.account_id = new.account_id and l.withdrawn_at is null and l.day <= new.to_day
    and (v_last.to_day is null or l.day > v_last.to_day);
  if new.undone_at is not null or new.to_day <= v_last.to_day or new.opening <> v_last.closing
    or new.opening + v_moved <> new.closing or v_open > 0 then
    raise exception 'an account is agreed with its bank where lines and balances add up' using errcode = '42501';
  end if;
  return new;
end
$$;
alter function accounting.guard_reconciliation() owner to {{job:ledger}};
-- A trigger needs no right to execute its function; a role with that right could use it on a table of its own.
revoke execute on function accounting.guard_reconciliation() from public;

create or replace trigger agreed before insert or update on accounting.reconciliation
  for each row execute function accounting.guard_reconciliation();
