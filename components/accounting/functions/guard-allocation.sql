-- An allocation takes what is open of both, in their order in time and in proportion of their base amounts; the difference of
-- those is posted as gain or loss on exchange. Taking it back gives both back. AC001: nothing was posted, and the month is closed.
create or replace function accounting.guard_allocation() returns trigger
language plpgsql security definer set search_path = accounting, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_credit item;
  v_charge item;
  v_day date;
  v_difference bigint;
begin
  perform from item where tenant_id = new.tenant_id and item_id in (new.credit_id, new.charge_id) order by item_id for no key update;
  select * into v_credit from item where tenant_id = new.tenant_id and item_id = new.credit_id;
  select * into v_charge from item where tenant_id = new.tenant_id and item_id = new.charge_id;
  v_day := case tg_op when 'INSERT' then new.date else new.undone_on end;
  if v_day is null or v_day < greatest(v_credit.moved_on, v_charge.moved_on) then
    raise exception 'what happens to an item happens in the order of its days' using errcode = '42501';
  end if;

  if tg_op = 'UPDATE' then
    if old.undone_on is not null or new.entry_id is not null and not exists (
      select from entry where tenant_id = new.tenant_id and reverses = new.entry_id and source_id = new.allocation_id
        and posting_date = v_day) then
      raise exception 'an allocation is taken back once, with the exchange difference it had' using errcode = '42501';
    end if;
    if new.entry_id is null then
      perform hold_month(v_day);
    end if;
    update item set open_amount = open_amount + new.amount, moved_on = v_day,
      open_base = open_base + case item_id when new.credit_id then new.credit_base else new.charge_base end
    where tenant_id = new.tenant_id and item_id in (new.credit_id, new.charge_id);
    return new;
  end if;

  v_difference := case v_charge.side when 'receivable' then new.credit_base - new.charge_base else new.charge_base - new.credit_base end;
  if (v_credit.nature, v_charge.nature) is distinct from ('credit', 'charge') or new.undone_on is not null
    or (v_credit.side, v_credit.party_id, v_credit.currency) is distinct from (v_charge.side, v_charge.party_id, v_charge.currency)
    or new.amount > least(v_credit.open_amount, v_charge.open_amount)
    -- In proportion, half a unit up; with the last of it all that is left.
    or new.credit_base <> div(2 * v_credit.open_base::numeric * new.amount + v_credit.open_amount, 2 * v_credit.open_amount::numeric)
    or new.charge_base <> div(2 * v_charge.open_base::numeric * new.amount + v_charge.open_amount, 2 * v_charge.open_amount::numeric)
    or v_difference <> 0 and (
      select array_agg(control order by control) is distinct from array['exchange_difference', v_charge.side]
        or bool_or(base <> case control when v_charge.side then v_difference else -v_difference end)
      from moved_by(new.tenant_id, (
        select entry_id from entry where tenant_id = new.tenant_id and entry_id = new.entry_id and kind = 'exchange'
          and source_id = new.allocation_id and posting_date = v_day
          and currency = (select base_currency from book where tenant_id = new.tenant_id)))) then
    raise exception 'an allocation sets what is open of a credit against a charge of the same party' using errcode = '42501';
  end if;
  if new.entry_id is null then
    perform hold_month(v_day);
  end if;
  update item set open_amount = open_amount - new.amount, moved_on = v_day,
    open_base = open_base - case item_id when new.credit_id then new.credit_base else new.charge_base end
  where tenant_id = new.tenant_id and item_id in (new.credit_id, new.charge_id);
  return new;
end
$$;
alter function accounting.guard_allocation() owner to {{job:ledger}};
-- A trigger needs no right to execute its function; a role with that right could use it on a table of its own.
revoke execute on function accounting.guard_allocation() from public;

create or replace trigger settled before insert or update on accounting.allocation
  for each row execute function accounting.guard_allocation();
