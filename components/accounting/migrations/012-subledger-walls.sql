-- The sub-ledger follows from the ledger. The application says what happened (a document issued or voided, a payment, an
-- allocation, what takes them back); triggers hold that to the entry it was posted by and write the open items. At its end a
-- transaction in which an entry of that sort is claimed by nothing fails. So control accounts and open items are equal by
-- construction: each entry that moves a control account belongs to exactly one row here, which moves the items by as much.
revoke insert, update on accounting.item from {{app}};
revoke insert, update on accounting.series from {{app}};
revoke insert on accounting.revaluation, accounting.revaluation_item from {{app}};
revoke update on accounting.document from {{app}};
grant update (status, version, number, party_id, currency, issue_date, due_date, pricing, supplier_number, reference, notes, credits,
  net, tax, total, rate, base_total, entry_id, issued_at) on accounting.document to {{app}};
grant select on accounting.document, accounting.document_line, accounting.tax, accounting.payment, accounting.allocation, accounting.item
  to {{job:ledger}};
grant insert, update (open_amount, open_base, moved_on, void_on) on accounting.item to {{job:ledger}};
grant select, insert on accounting.revaluation, accounting.revaluation_item to {{job:ledger}};
create unique index document_entry on accounting.document (tenant_id, entry_id) where entry_id is not null;
create unique index payment_entry on accounting.payment (tenant_id, entry_id);
create unique index allocation_entry on accounting.allocation (tenant_id, entry_id) where entry_id is not null;
create unique index revaluation_entry on accounting.revaluation (tenant_id, entry_id);

-- The next number of a kind of document, or of payments: whoever asks waits for who asked before, until it has used its number or
-- given it up. Numbers come from what bears them, so that asking burns none. Of `revaluation`: only the waiting.
create function accounting.next_number(p_series text) returns bigint
language plpgsql security definer set search_path = accounting, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_last bigint := 0;
begin
  if p_series is null or p_series not in ('invoice', 'credit_note', 'bill', 'supplier_credit', 'payment', 'revaluation') then
    raise exception '% is no series', p_series using errcode = '22023';
  end if;
  insert into series as s (tenant_id, name) values (v_tenant, p_series)
  on conflict (tenant_id, name) do update set next = s.next;
  if p_series = 'payment' then
    select coalesce(max(number), 0) into v_last from payment where tenant_id = v_tenant;
  elsif p_series <> 'revaluation' then
    select coalesce(max(number), 0) into v_last from document where tenant_id = v_tenant and kind = p_series;
  end if;
  return v_last + 1;
end
$$;

-- Open items, locked until the transaction ends, in the order of their ids, so that two never wait for one another crosswise.
create function accounting.lock_items(p_items uuid[]) returns setof accounting.item
language sql security definer set search_path = accounting, pg_temp as $$
  select * from item
  where tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and item_id = any (p_items)
  order by item_id for no key update
$$;

-- What an entry does to each account: debits less credits, in its currency and in the base currency.
create function accounting.moved_by(p_tenant uuid, p_entry uuid)
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

-- An item is voided whole, by the mirror of the entry that opened it. Answers whether it was.
create function accounting.void_item(p_tenant uuid, p_item uuid, p_entry uuid) returns date
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

-- Drafts change; issuing binds number, entry and open item to what the draft says; what was issued is only ever voided.
create or replace function accounting.refuse_document_change() returns trigger
language plpgsql security definer set search_path = accounting, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_posted constant text[] := array['status', 'version', 'number', 'rate', 'base_total', 'entry_id', 'issued_at'];
  v_sale boolean := new.kind in ('invoice', 'credit_note');
  v_charge boolean := new.kind in ('invoice', 'bill');
  v_sign int := case when v_sale = v_charge then 1 else -1 end;
  v_control text := case when v_sale then 'receivable' else 'payable' end;
begin
  if new.status = 'draft' and num_nonnulls(new.number, new.rate, new.base_total, new.entry_id, new.issued_at) = 0
    and (tg_op = 'INSERT' or old.status = 'draft') then
    return new;
  end if;
  if tg_op = 'INSERT' then
    raise exception 'a document begins as a draft' using errcode = '42501';
  end if;
  if new.status = 'void' and old.status in ('draft', 'issued')
    and to_jsonb(new) - array['status', 'version'] = to_jsonb(old) - array['status', 'version'] then
    if old.status = 'issued' then
      perform void_item(new.tenant_id, new.document_id, new.entry_id);
    end if;
    return new;
  end if;
  if old.status <> 'draft' or new.status <> 'issued' or to_jsonb(new) - v_posted <> to_jsonb(old) - v_posted then
    raise exception 'a document that is % is not changed', old.status using errcode = '42501';
  end if;

  if new.number is distinct from (
      select coalesce(max(number), 0) + 1 from document where tenant_id = new.tenant_id and kind = new.kind) then
    raise exception 'numbers are taken in their order' using errcode = '42501';
  end if;
  if not exists (
      select from entry e where e.tenant_id = new.tenant_id and e.entry_id = new.entry_id and e.kind = new.kind
        and e.source_id = new.document_id and e.posting_date = new.issue_date and e.currency = new.currency and e.rate = new.rate)
    or not exists (
      select from document_line where tenant_id = new.tenant_id and document_id = new.document_id
      having sum(net) = new.net and sum(tax) = new.tax)
    or new.base_total is distinct from (
      select v_sign * base from moved_by(new.tenant_id, new.entry_id) where control = v_control)
    -- What the document says and what was posted, account by account: tax that is not recovered is part of what was bought.
    or exists (
      select from (
        select account_id, amount from moved_by(new.tenant_id, new.entry_id)
        union all
        select account_id, -v_sign * new.total from account where tenant_id = new.tenant_id and control = v_control
        union all
        select l.account_id, v_sign * (l.net + case when v_sale or t.purchase_account_id is not null then 0 else l.tax end)
        from document_line l left join tax t on t.tenant_id = l.tenant_id and t.tax_id = l.tax_id
        where l.tenant_id = new.tenant_id and l.document_id = new.document_id
        union all
        select case when v_sale then t.sales_account_id else t.purchase_account_id end, v_sign * l.tax
        from document_line l join tax t on t.tenant_id = l.tenant_id and t.tax_id = l.tax_id
        where l.tenant_id = new.tenant_id and l.document_id = new.document_id and (v_sale or t.purchase_account_id is not null)) s
      group by account_id having sum(amount) <> 0) then
    raise exception 'a document is issued by the entry that posts it' using errcode = '42501';
  end if;
  insert into item (tenant_id, item_id, kind, side, nature, party_id, currency, amount, base_amount, open_amount, open_base,
    opened_on, due_on, moved_on)
  values (new.tenant_id, new.document_id, new.kind, v_control, case when v_charge then 'charge' else 'credit' end, new.party_id,
    new.currency, new.total, new.base_total, new.total, new.base_total, new.issue_date, new.due_date, new.issue_date);
  return new;
end
$$;
drop trigger issued on accounting.document;
create trigger issued before insert or update on accounting.document
  for each row execute function accounting.refuse_document_change();

-- A payment is what its entry says: one posting between an account for money and one control account. Later it is only ever voided.
create function accounting.guard_payment() returns trigger
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
create trigger posted before insert or update on accounting.payment for each row execute function accounting.guard_payment();

-- An allocation takes what is open of both, in their order in time and in proportion of their base amounts; the difference of
-- those is posted as gain or loss on exchange. Taking it back gives both back. AC001: nothing was posted, and the month is closed.
create function accounting.guard_allocation() returns trigger
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
create trigger settled before insert or update on accounting.allocation
  for each row execute function accounting.guard_allocation();

-- Open items at a day's rate, with the entry that says so and its mirror on the next day.
create function accounting.revalue_items(p_id uuid, p_day date, p_entry uuid, p_mirror uuid, p_items uuid[], p_differences bigint[])
returns void
language plpgsql security definer set search_path = accounting, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
begin
  insert into revaluation (tenant_id, revaluation_id, day, entry_id, mirror_id) values (v_tenant, p_id, p_day, p_entry, p_mirror);
  insert into revaluation_item (tenant_id, revaluation_id, item_id, difference)
  select v_tenant, p_id, item_id, difference from unnest(p_items, p_differences) as r (item_id, difference);
  if not exists (
      select from entry e join entry m on m.tenant_id = e.tenant_id and m.reverses = e.entry_id
      where e.tenant_id = v_tenant and e.entry_id = p_entry and m.entry_id = p_mirror and e.kind = 'revaluation'
        and e.source_id = p_id and m.source_id = p_id and e.posting_date = p_day and m.posting_date = p_day + 1)
    or exists (
      select from (
        select control as side, base from moved_by(v_tenant, p_entry) where control in ('receivable', 'payable')
        union all
        select i.side, case when (i.nature = 'charge') = (i.side = 'receivable') then -r.difference else r.difference end
        from revaluation_item r join item i on i.tenant_id = r.tenant_id and i.item_id = r.item_id
        where r.tenant_id = v_tenant and r.revaluation_id = p_id and i.opened_on <= p_day) s
      group by side having sum(base) <> 0)
    or exists (
      select from revaluation_item r join item i on i.tenant_id = r.tenant_id and i.item_id = r.item_id
      where r.tenant_id = v_tenant and r.revaluation_id = p_id and i.opened_on > p_day) then
    raise exception 'items are worth as much more or less as the entry of their revaluation says' using errcode = '42501';
  end if;
end
$$;

-- Whatever posts to receivables and payables is said by the sub-ledger too when the transaction ends, or it does not end well.
-- To have this checked at once is to have it refused: a claim comes after its entry, and nothing is added to an entry later.
create function accounting.require_claim() returns trigger
language plpgsql security definer set search_path = accounting, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_undone boolean := new.reverses is not null;
  v_entry uuid := coalesce(new.reverses, new.entry_id);
  v_kind text := new.kind;
  v_claimed boolean;
begin
  if v_undone then
    select kind into v_kind from entry where tenant_id = new.tenant_id and entry_id = v_entry;
  end if;
  v_claimed := case
    when v_kind in ('journal', 'opening', 'bank_line') then true
    when v_kind = 'payment' then exists (
      select from payment where tenant_id = new.tenant_id and payment_id = new.source_id and entry_id = v_entry
        and (not v_undone or void_on = new.posting_date))
    when v_kind = 'exchange' then exists (
      select from allocation where tenant_id = new.tenant_id and allocation_id = new.source_id and entry_id = v_entry
        and (not v_undone or undone_on = new.posting_date))
    when v_kind = 'revaluation' then exists (
      select from revaluation where tenant_id = new.tenant_id and revaluation_id = new.source_id and entry_id = v_entry
        and (not v_undone or mirror_id = new.entry_id))
    else exists (
      select from document where tenant_id = new.tenant_id and document_id = new.source_id and entry_id = v_entry
        and (not v_undone or status = 'void'))
  end;
  if v_claimed is not true then
    raise exception 'an entry of kind % is posted by what it is named after', v_kind using errcode = '42501';
  end if;
  return null;
end
$$;
create constraint trigger claimed after insert on accounting.entry deferrable initially deferred
  for each row when (new.kind not in ('journal', 'opening', 'bank_line', 'closing')) execute function accounting.require_claim();

grant create on schema accounting to {{job:ledger}};
alter function accounting.next_number(text) owner to {{job:ledger}};
alter function accounting.lock_items(uuid[]) owner to {{job:ledger}};
alter function accounting.moved_by(uuid, uuid) owner to {{job:ledger}};
alter function accounting.void_item(uuid, uuid, uuid) owner to {{job:ledger}};
alter function accounting.refuse_document_change() owner to {{job:ledger}};
alter function accounting.guard_payment() owner to {{job:ledger}};
alter function accounting.guard_allocation() owner to {{job:ledger}};
alter function accounting.revalue_items(uuid, date, uuid, uuid, uuid[], bigint[]) owner to {{job:ledger}};
alter function accounting.require_claim() owner to {{job:ledger}};
revoke create on schema accounting from {{job:ledger}};
revoke all on function accounting.next_number(text) from public;
revoke all on function accounting.lock_items(uuid[]) from public;
grant execute on function accounting.lock_items(uuid[]) to {{app}};
revoke all on function accounting.void_item(uuid, uuid, uuid) from public;
revoke all on function accounting.revalue_items(uuid, date, uuid, uuid, uuid[], bigint[]) from public;
grant execute on function accounting.next_number(text) to {{app}};
grant execute on function accounting.revalue_items(uuid, date, uuid, uuid, uuid[], bigint[]) to {{app}};
