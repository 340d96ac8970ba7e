-- Submissions of several tenants in a transaction that they share: no tenant is set in it, each row names its own.
create or replace function commerce.store_together(p_rows json) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if nullif(current_setting('app.tenant_id', true), '') is not null then
    raise exception 'submissions of many tenants belong to no tenant''s transaction' using errcode = '42501';
  end if;
  insert into commerce.submission (tenant_id, submission_id, form_id, form_version, site_id, key_id, mode, contact_id, data)
  select tenant_id, submission_id, form_id, form_version, site_id, key_id, mode, contact_id, data
  from json_to_recordset(p_rows) as row (tenant_id uuid, submission_id uuid, form_id uuid, form_version int,
    site_id uuid, key_id uuid, mode text, contact_id uuid, data text);
end
$$;
alter function commerce.store_together(json) owner to {{job:intake}};
revoke execute on function commerce.store_together(json) from public;
grant execute on function commerce.store_together(json) to {{app}};
