-- Erases a contact with all that were merged into it, all of a person or nothing, in the transaction's tenant; the application itself
-- cannot delete contacts. For a merged contact: the one it was merged into. No row: there never was one. `o_values`: its
-- addresses and phones, to be searched for elsewhere in the same transaction; none if it was erased before
-- (`o_fresh`).
--
-- A transaction that adds to the contact has locked it, and this waits for it, so its data is erased too; a later one finds
-- nobody. Lock order: first the merged contacts, then the one that they lead to. Callers of resolve use the same order.
create or replace function crm.erase_contact(p_contact uuid)
returns table (o_contact uuid, o_merged uuid[], o_values text[], o_at timestamptz, o_fresh boolean)
language plpgsql volatile security definer set search_path = crm, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_next uuid;
  v_at timestamptz := clock_timestamp();
begin
  if v_tenant is null then
    raise exception 'a contact is erased in a transaction of its tenant' using errcode = '42501';
  end if;
  o_contact := p_contact;
  o_fresh := false;
  loop
    perform from contact where tenant_id = v_tenant and merged_into = o_contact order by contact_id for update;
    select merged_into into v_next from contact where tenant_id = v_tenant and contact_id = o_contact for update;
    o_fresh := found;
    exit when not o_fresh or v_next is null;
    o_contact := v_next;
  end loop;

  if o_fresh then
    select array_agg(c.contact_id) filter (where c.contact_id <> o_contact),
      array_agg(distinct v.value) filter (where v.value is not null)
    into o_merged, o_values
    from contact c cross join lateral (values (c.email), (c.email_key), (c.phone)) v (value)
    where c.tenant_id = v_tenant and (c.contact_id = o_contact or c.merged_into = o_contact);
    o_merged := array(select distinct unnest(o_merged) order by 1);
    delete from contact_term where tenant_id = v_tenant and contact_id = any (o_merged || o_contact);
    delete from timeline_entry where tenant_id = v_tenant and contact_id = any (o_merged || o_contact);
    delete from contact where tenant_id = v_tenant and merged_into = o_contact;
    delete from contact where tenant_id = v_tenant and contact_id = o_contact;
    insert into erased_contact (tenant_id, contact_id, erased_as, erased_at)
    select v_tenant, id, o_contact, v_at from unnest(o_merged || o_contact) id;
  end if;

  select e.erased_as, e.erased_at into o_contact, o_at from erased_contact e
  where e.tenant_id = v_tenant and e.contact_id = o_contact;
  if not found then
    return;
  end if;
  o_merged := array(select e.contact_id from erased_contact e
    where e.tenant_id = v_tenant and e.erased_as = o_contact and e.contact_id <> o_contact order by 1);
  o_values := coalesce(o_values, '{}');
  return next;
end
$$;
alter function crm.erase_contact(uuid) owner to {{job:crm_erasure}};
revoke execute on function crm.erase_contact(uuid) from public;
grant execute on function crm.erase_contact(uuid) to {{app}};
