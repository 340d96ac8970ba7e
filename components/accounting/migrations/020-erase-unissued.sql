-- What was never issued says things about a person that no law wants kept: it goes with whoever it is for, with its lines and files.
-- The application cannot delete documents or files: the function below does, in the transaction's tenant, and only of those who are erased.
create index attachment_removed on accounting.attachment (tenant_id, target_id) where removed_at is not null;
create index attachment_content on accounting.attachment (tenant_id, sha256);

-- As before; and lines of what was discarded before it was issued may go, too.
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

grant usage, create on schema accounting to {{job:accounting_erasure}};
grant select on accounting.party to {{job:accounting_erasure}};
-- A row is locked by whoever may update it.
grant select, update (version), delete on accounting.document to {{job:accounting_erasure}};
grant select, delete on accounting.document_line, accounting.attachment, accounting.blob to {{job:accounting_erasure}};

-- Contents that something else has attached stay. Whoever attaches meanwhile waits, and finds nothing to attach to.
create function accounting.erase_unissued(p_documents uuid[]) returns void
language plpgsql volatile security definer set search_path = accounting, pg_temp set enable_seqscan = off as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_documents uuid[];
  v_contents text[];
begin
  perform pg_advisory_xact_lock(hashtextextended('accounting.blob ' || v_tenant, 0));
  v_documents := array(
    select d.document_id from document d join party p on p.tenant_id = d.tenant_id and p.party_id = d.party_id
    where d.tenant_id = v_tenant and d.document_id = any (p_documents) and d.entry_id is null and p.erased_at is not null
    order by 1 for update of d);
  delete from document_line where tenant_id = v_tenant and document_id = any (v_documents);
  with gone as (
    delete from attachment where tenant_id = v_tenant and target_id = any (v_documents) returning sha256)
  select array_agg(distinct sha256) into v_contents from gone;
  delete from document where tenant_id = v_tenant and document_id = any (v_documents);
  delete from blob b where b.tenant_id = v_tenant and b.sha256 = any (v_contents)
    and not exists (select from attachment a where a.tenant_id = b.tenant_id and a.sha256 = b.sha256);
end
$$;
alter function accounting.erase_unissued(uuid[]) owner to {{job:accounting_erasure}};
revoke create on schema accounting from {{job:accounting_erasure}};
revoke all on function accounting.erase_unissued(uuid[]) from public;
grant execute on function accounting.erase_unissued(uuid[]) to {{app}};
