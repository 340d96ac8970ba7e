-- What is revoked stays revoked, and the life of a key is never made longer.
create or replace function studio.key_ends() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at then
    raise exception 'studio.sdk_key: a revoked key stays revoked' using errcode = '42501';
  end if;
  if old.expires_at is not null and (new.expires_at is null or new.expires_at > old.expires_at) then
    raise exception 'studio.sdk_key: the end of a key is not put off' using errcode = '42501';
  end if;
  return new;
end $$;

create or replace trigger key_ends before update on studio.sdk_key for each row execute function studio.key_ends();
