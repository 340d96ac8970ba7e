-- Finds whose data this is: by e-mail address, else by phone, else, if neither is given, by name. Makes the contact if there is
-- none. It fills empty values and never overwrites, because it is called for strangers who may know somebody's address.
--
-- Insert-first: the unique indexes decide who comes first, and a second caller waits for them and then finds the row. Values
-- are filled in the version that was read, else it reads again. At most one existing contact is locked at a time,
-- so two calls never deadlock.
--
-- A phone does not win against an e-mail address: if it belongs to somebody with another address, the address wins,
-- the phone stays where it is, and o_conflict names its contact.
--
-- p_term_field, p_term_value: the search terms of the contact, each with the field it comes from.
-- p_kind, p_refs: where the contact came from; written to the timeline as p_entry unless that is null.
-- p_test: sent with a test key. It changes nothing of a real contact, because data of tests is deleted with them. Any other
-- caller makes a test contact a real one, which o_filled reports as 'test'.
create or replace function crm.resolve_contact(
  p_contact uuid, p_email text, p_email_key text, p_phone text, p_name text, p_name_key text, p_custom jsonb,
  p_term_field text[], p_term_value text[], p_entry uuid, p_kind text, p_refs jsonb, p_test boolean,
  out o_contact uuid, out o_created boolean, out o_filled text[], out o_conflict uuid, out o_restored boolean
)
language plpgsql volatile security invoker set search_path = crm, pg_temp
-- A plan made while the table was empty must stay right.
set enable_seqscan = off
as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  -- Given up where it is somebody else's.
  v_phone text := p_phone;
  v_owner uuid;
  v_custom jsonb;
  v_version int;
  v_filled boolean;
  c contact;
begin
  if v_tenant is null then
    raise exception 'a contact is resolved in a transaction of its tenant' using errcode = '42501';
  end if;
  o_created := false;
  o_restored := false;
  o_filled := '{}';
  for v_round in 1 .. 100 loop
    insert into contact (tenant_id, contact_id, email, email_key, phone, name, name_key, custom, source, test)
    values (v_tenant, p_contact, p_email, p_email_key, v_phone, p_name, p_name_key, p_custom,
      jsonb_build_object('kind', p_kind) || p_refs, p_test)
    on conflict do nothing;
    if found then
      o_contact := p_contact;
      o_created := true;
      exit;
    end if;

    c := null;
    if p_email_key is not null then
      select * into c from contact where tenant_id = v_tenant and email_key = p_email_key for key share;
    end if;
    if c.contact_id is null and v_phone is not null then
      select * into c from contact where tenant_id = v_tenant and phone = v_phone for key share;
    end if;
    if p_email_key is null and p_phone is null then
      select * into c from contact
      where tenant_id = v_tenant and name_key = p_name_key and email_key is null and phone is null for key share;
    end if;
    if c.merged_into is not null then
      select * into c from contact where tenant_id = v_tenant and contact_id = c.merged_into for key share;
    end if;
    -- It was undone, or changed, or merged meanwhile: once more.
    continue when c.contact_id is null or c.merged_into is not null;

    -- Found by phone, where the address given is not of this contact.
    if p_email_key is not null and c.email_key is not null and c.email_key <> p_email_key
      and not exists (select from contact m
        where m.tenant_id = v_tenant and m.email_key = p_email_key and m.merged_into = c.contact_id) then
      o_conflict := c.contact_id;
      v_phone := null;
      continue;
    end if;
    if v_phone is not null and c.phone is distinct from v_phone then
      select coalesce(merged_into, contact_id) into v_owner from contact where tenant_id = v_tenant and phone = v_phone;
      if found then
        v_phone := null;
        if v_owner <> c.contact_id then
          o_conflict := v_owner;
        end if;
      end if;
    end if;

    if (c.test or not p_test) and (c.archived_at is not null or (c.email_key is null and p_email_key is not null)
      or (c.phone is null and v_phone is not null) or (c.name is null and p_name is not null)
      or not (c.custom ?& array(select jsonb_object_keys(p_custom))) or c.test <> p_test) then
      v_version := c.version;
      v_custom := p_custom - array(select jsonb_object_keys(c.custom));
      o_restored := c.archived_at is not null;
      o_filled := array_remove(array[
          case when c.email_key is null and p_email_key is not null then 'email' end,
          case when c.phone is null and v_phone is not null then 'phone' end,
          case when c.name is null and p_name is not null then 'name' end], null)
        || array(select 'custom.' || key from jsonb_object_keys(v_custom) as key order by key collate "C")
        || case when c.test and not p_test then '{test}'::text[] else '{}' end;
      begin
        update contact set
          email = coalesce(contact.email, p_email), email_key = coalesce(contact.email_key, p_email_key),
          phone = coalesce(contact.phone, v_phone),
          name = coalesce(contact.name, p_name),
          name_key = case when contact.name is null then p_name_key else contact.name_key end,
          custom = contact.custom || v_custom, archived_at = null, test = contact.test and p_test, version = contact.version + 1,
          updated_at = clock_timestamp()
        where tenant_id = v_tenant and contact_id = c.contact_id and version = v_version and merged_into is null;
        v_filled := found;
      exception when unique_violation then
        -- Somebody else was given the address or the phone meanwhile. The row is released too: a caller that waits while it has
        -- locked one contact never goes on to lock another.
        v_filled := false;
      end;
      if not v_filled then
        o_filled := '{}';
        o_restored := false;
        continue;
      end if;
    end if;
    o_contact := c.contact_id;
    exit;
  end loop;
  if o_conflict = o_contact then
    -- The two were merged meanwhile.
    o_conflict := null;
  end if;
  if o_contact is null then
    raise exception 'the contact kept changing' using errcode = '40001';
  end if;

  if o_created or o_filled <> '{}' then
    insert into contact_term (tenant_id, field, value, created_at, contact_id)
    select v_tenant, field, value, k.created_at, o_contact
    from contact k cross join unnest(p_term_field, p_term_value) as term (field, value)
    where k.tenant_id = v_tenant and k.contact_id = o_contact and (o_created or field = any (o_filled))
    on conflict do nothing;
  end if;
  if p_entry is not null then
    insert into timeline_entry (tenant_id, contact_id, entry_id, kind, refs) values (v_tenant, o_contact, p_entry, p_kind, p_refs);
  end if;
end
$$;
revoke execute on function crm.resolve_contact(uuid, text, text, text, text, text, jsonb, text[], text[], uuid, text, jsonb, boolean)
  from public;
grant execute on function crm.resolve_contact(uuid, text, text, text, text, text, jsonb, text[], text[], uuid, text, jsonb, boolean)
  to {{app}};
