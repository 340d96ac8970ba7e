-- Lines change while their document is a draft, and go with a draft that is discarded.
create or replace function accounting.refuse_line_change() returns trigger language plpgsql set search_path = accounting, pg_temp as $$
declare
  v_document uuid := case tg_op when 'INSERT' then new.document_id else old.document_id end;
  v_tenant uuid := case tg_op when 'INSERT' then new.tenant_id else old.tenant_id end;
begin
  perform from document where tenant_id = v_tenant and document_id = v_document
    and (status = 'draft' or (tg_op = 'DELETE' and entry_id is null)) for no key update;
  if not found then
    raise exception 'lines of a document change while it is a draft' using errcode = '42501';
  end if;
  return case tg_op when 'INSERT' then new else old end;
end
$$;

create or replace trigger issued before insert or delete on accounting.document_line
  for each row execute function accounting.refuse_line_change();
