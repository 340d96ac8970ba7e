-- Contents that something else refers to stay. A caller that attaches a file meanwhile waits, and then finds nothing to attach to.
create or replace function accounting.erase_unissued(p_documents uuid[]) returns void
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
revoke execute on function accounting.erase_unissued(uuid[]) from public;
grant execute on function accounting.erase_unissued(uuid[]) to {{app}};
