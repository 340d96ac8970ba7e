-- Whatever posts to receivables and payables is said by the sub-ledger too when the transaction ends, or it does not end well.
-- To have this checked at once is to have it refused: a claim comes after its entry, and nothing is added to an entry later.
create or replace function accounting.require_claim() returns trigger
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
alter function accounting.require_claim() owner to {{job:ledger}};
-- A trigger needs no right to execute its function; a role with that right could use it on a table of its own.
revoke execute on function accounting.require_claim() from public;

drop trigger if exists claimed on accounting.entry;
create constraint trigger claimed after insert on accounting.entry deferrable initially deferred
  for each row when (new.kind not in ('journal', 'opening', 'bank_line', 'closing')) execute function accounting.require_claim();
