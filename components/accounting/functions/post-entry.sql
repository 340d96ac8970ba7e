-- Posts one entry into the books of the transaction's tenant: locks its month, numbers it, writes it with its postings and
-- moves the balances. Answers its number. The postings come by columns, in order.
-- Entries of documents, payments, exchange differences and revaluations, and their reversals, commit only if the sub-ledger
-- says the same when the transaction ends (require_claim).
-- Errors: AC001 the month is closed; AC002 an account is unknown or archived; AC004 receivables or payables by hand; 22003 an
-- amount or a balance beyond bigint or 10^17; 22023 no such kind, base amounts that the rate does not give, or a reversal that
-- is no mirror; 23505 on entry_tenant_id_reverses_key: the entry was reversed before.
create or replace function accounting.post_entry(
  p_entry uuid, p_date date, p_currency text, p_rate numeric, p_narration text, p_kind text, p_source uuid,
  p_reverses uuid, p_event uuid, p_debit uuid[], p_credit uuid[], p_amount bigint[], p_base bigint[],
  p_debit_memo text[], p_credit_memo text[]
) returns bigint
language plpgsql security definer set search_path = accounting, pg_temp as $$
declare
  v_origin entry;
begin
  if p_kind is null or p_kind not in ('journal', 'opening', 'bank_line', 'invoice', 'credit_note', 'bill', 'supplier_credit', 'payment',
    'exchange', 'revaluation', 'reversal') or (p_kind = 'reversal') <> (p_reverses is not null) then
    raise exception '% is no kind of entry that is posted like this', p_kind using errcode = '22023';
  end if;
  if p_kind = 'reversal' then
    select * into v_origin from entry
    where tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and entry_id = p_reverses;
    if not found or v_origin.kind in ('closing', 'reversal') or v_origin.currency <> p_currency or v_origin.rate <> p_rate
      or p_date < v_origin.posting_date or (
        select count(*) from posting o
        join unnest(p_debit, p_credit, p_amount, p_base) with ordinality as m (debit, credit, amount, base, line) on m.line = o.line
        where o.tenant_id = v_origin.tenant_id and o.entry_id = v_origin.entry_id
          and (m.debit, m.credit, m.amount, m.base) = (o.credit_account_id, o.debit_account_id, o.amount, o.base_amount)
      ) <> greatest(cardinality(p_debit), (
        select count(*) from posting o where o.tenant_id = v_origin.tenant_id and o.entry_id = v_origin.entry_id)) then
      raise exception 'a reversal is the mirror of an entry, on its day or later' using errcode = '22023';
    end if;
  end if;
  return write_entry(p_entry, p_date, p_currency, p_rate, p_narration, p_kind, p_source, p_reverses, p_event,
    p_debit, p_credit, p_amount, p_base, p_debit_memo, p_credit_memo);
end
$$;
alter function accounting.post_entry(uuid, date, text, numeric, text, text, uuid, uuid, uuid, uuid[], uuid[], bigint[], bigint[], text[], text[])
  owner to {{job:ledger}};
revoke execute on function accounting.post_entry(uuid, date, text, numeric, text, text, uuid, uuid, uuid, uuid[], uuid[], bigint[], bigint[], text[], text[])
  from public;
grant execute on function accounting.post_entry(uuid, date, text, numeric, text, text, uuid, uuid, uuid, uuid[], uuid[], bigint[], bigint[], text[], text[])
  to {{app}};
