-- A payment is what its entry says: one posting between an account for money and one control account. Later it is only ever voided.
create or replace function accounting.guard_payment() returns trigger
language plpgsql security definer set search_path = accounting, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_received boolean := new.direction = 'received';
  v_side text;
begin
  if tg_op = 'UPDATE' then
    if old.void_on is not null or new.void_on is distinct from void_item(new.tenant_id, new.payment_id, new.entry_id) then
      raise exception 'a payment is voided once' using errcode = '42501';
    end if;
    return new;
  end if;
  select a.control into v_side
  from entry e
  join posting p on p.tenant_id = e.tenant_id and p.entry_id = e.entry_id
  join account a on a.tenant_id = e.tenant_id and a.account_id = case when v_received then p.credit_account_id else p.debit_account_id end
  join account m on m.tenant_id = e.tenant_id and m.account_id = case when v_received then p.debit_account_id else p.credit_account_id end
  where e.tenant_id = new.tenant_id and e.entry_id = new.entry_id and e.kind = 'payment' and e.source_id = new.payment_id
    and e.posting_date = new.date and e.currency = new.currency and e.rate = new.rate
    and (p.amount, p.base_amount, m.account_id) = (new.amount, new.base_amount, new.account_id)
    and a.control in ('receivable', 'payable') and coalesce(m.control, '') not in ('receivable', 'payable')
    and not exists (select from posting o where o.tenant_id = e.tenant_id and o.entry_id = e.entry_id and o.line <> p.line);
  if not found or new.void_on is not null then
    raise exception 'a payment is recorded with the entry that posts it' using errcode = '42501';
  end if;
  if new.number is distinct from (select coalesce(max(number), 0) + 1 from payment where tenant_id = new.tenant_id) then
    raise exception 'numbers are taken in their order' using errcode = '42501';
  end if;
  insert into item (tenant_id, item_id, kind, side, nature, party_id, currency, amount, base_amount, open_amount, open_base,
    opened_on, due_on, moved_on)
  values (new.tenant_id, new.payment_id, 'payment', v_side,
    case when v_received = (v_side = 'receivable') then 'credit' else 'charge' end, new.party_id,
    new.currency, new.amount, new.base_amount, new.amount, new.base_amount, new.date, new.date, new.date);
  return new;
end
$$;
alter function accounting.guard_payment() owner to {{job:ledger}};
-- A trigger needs no right to execute its function; a role with that right could use it on a table of its own.
revoke execute on function accounting.guard_payment() from public;

create or replace trigger posted before insert or update on accounting.payment for each row execute function accounting.guard_payment();
