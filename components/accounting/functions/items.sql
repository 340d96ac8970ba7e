-- Open items, locked until the transaction ends, in the order of their ids, so that two never wait for one another crosswise.
create or replace function accounting.lock_items(p_items uuid[]) returns setof accounting.item
language sql security definer set search_path = accounting, pg_temp as $$
  select * from item
  where tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and item_id = any (p_items)
  order by item_id for no key update
$$;
alter function accounting.lock_items(uuid[]) owner to {{job:ledger}};
revoke execute on function accounting.lock_items(uuid[]) from public;
grant execute on function accounting.lock_items(uuid[]) to {{app}};

-- What an entry does to each account: debits less credits, in its currency and in the base currency.
create or replace function accounting.moved_by(p_tenant uuid, p_entry uuid)
returns table (account_id uuid, control text, amount numeric, base numeric)
language sql stable set search_path = accounting, pg_temp as $$
  select s.account_id, a.control, sum(s.amount), sum(s.base)
  from (
    select debit_account_id as account_id, amount, base_amount as base from posting where tenant_id = p_tenant and entry_id = p_entry
    union all
    select credit_account_id, -amount, -base_amount from posting where tenant_id = p_tenant and entry_id = p_entry) s
  join account a on a.tenant_id = p_tenant and a.account_id = s.account_id
  group by s.account_id, a.control
$$;
alter function accounting.moved_by(uuid, uuid) owner to {{job:ledger}};

-- An item is voided whole, by the mirror of the entry that opened it. Answers whether it was.
create or replace function accounting.void_item(p_tenant uuid, p_item uuid, p_entry uuid) returns date
language plpgsql set search_path = accounting, pg_temp as $$
declare
  v_day date;
begin
  select posting_date into v_day from entry where tenant_id = p_tenant and reverses = p_entry and source_id = p_item;
  update item set open_amount = 0, open_base = 0, moved_on = v_day, void_on = v_day
  where tenant_id = p_tenant and item_id = p_item and open_amount = amount and void_on is null and moved_on <= v_day;
  if not found then
    raise exception 'what is voided is open in full, and undone by the mirror of its entry' using errcode = '42501';
  end if;
  return v_day;
end
$$;
alter function accounting.void_item(uuid, uuid, uuid) owner to {{job:ledger}};
revoke execute on function accounting.void_item(uuid, uuid, uuid) from public;
