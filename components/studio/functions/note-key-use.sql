-- Keys used lately. Once a minute is enough, and a key that somebody is changing is noted the next time.
create or replace function studio.note_key_use(a_tenants uuid[], a_keys uuid[]) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update studio.sdk_key k set last_used_at = clock_timestamp()
  from (
    select d.tenant_id, d.key_id from studio.sdk_key d
    join unnest(a_tenants, a_keys) as used (tenant_id, key_id) on used.tenant_id = d.tenant_id and used.key_id = d.key_id
    where d.last_used_at is null or d.last_used_at < clock_timestamp() - interval '1 minute'
    order by d.tenant_id, d.key_id for update of d skip locked) as due
  where k.tenant_id = due.tenant_id and k.key_id = due.key_id
$$;
alter function studio.note_key_use(uuid[], uuid[]) owner to {{job:studio_directory}};
revoke execute on function studio.note_key_use(uuid[], uuid[]) from public;
grant execute on function studio.note_key_use(uuid[], uuid[]) to {{app}};
