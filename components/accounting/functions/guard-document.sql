-- Drafts change; issuing binds number, entry and open item to what the draft says; what was issued is only ever voided.
create or replace function accounting.refuse_document_change() returns trigger
language plpgsql security definer set search_path = accounting, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_posted constant text[] := array['status', 'version', 'number', 'rate', 'base_total', 'entry_id', 'issued_at', 'seller_name'];
  v_sale boolean := new.kind in ('invoice', 'credit_note');
  v_charge boolean := new.kind in ('invoice', 'bill');
  v_sign int := case when v_sale = v_charge then 1 else -1 end;
  v_control text := case when v_sale then 'receivable' else 'payable' end;
begin
  if new.status = 'draft' and num_nonnulls(new.number, new.rate, new.base_total, new.entry_id, new.issued_at,
      new.seller_name, new.seller_address, new.seller_vat_number, new.seller_registration, new.seller_payment_details, new.seller_language) = 0
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
  -- Who sells and buys stays as it is now. A process of a version before names no seller, and holds nothing of it.
  if new.seller_name is not null then
    select coalesce(max(s.name), new.seller_name), max(s.address), max(s.vat_number), max(s.registration),
      max(s.payment_details) filter (where new.kind = 'invoice'), max(s.language) filter (where v_sale)
    into new.seller_name, new.seller_address, new.seller_vat_number, new.seller_registration, new.seller_payment_details,
      new.seller_language
    from seller s where s.tenant_id = new.tenant_id;
    -- Whom an order was billed to is nobody else in part.
    if num_nonnulls(new.buyer_address, new.buyer_vat_number, new.buyer_name) = 0 then
      select p.address, p.vat_number into new.buyer_address, new.buyer_vat_number
      from party p where p.tenant_id = new.tenant_id and p.party_id = new.party_id;
    end if;
    select coalesce(new.buyer_name, p.name) into new.buyer_name
    from party p where p.tenant_id = new.tenant_id and p.party_id = new.party_id;
  end if;
  insert into item (tenant_id, item_id, kind, side, nature, party_id, currency, amount, base_amount, open_amount, open_base,
    opened_on, due_on, moved_on)
  values (new.tenant_id, new.document_id, new.kind, v_control, case when v_charge then 'charge' else 'credit' end, new.party_id,
    new.currency, new.total, new.base_total, new.total, new.base_total, new.issue_date, new.due_date, new.issue_date);
  return new;
end
$$;
alter function accounting.refuse_document_change() owner to {{job:ledger}};
-- A trigger needs no right to execute its function; a role with that right could use it on a table of its own.
revoke execute on function accounting.refuse_document_change() from public;

create or replace trigger issued before insert or update on accounting.document
  for each row execute function accounting.refuse_document_change();
