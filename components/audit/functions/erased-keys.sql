-- No event is stored under an erased key: a process that still remembers the key gets an error, and seals with a new one. Checked after
-- the head's lock, so that every event under the key precedes the event of the erasure.
create or replace function audit.refuse_erased_key() returns trigger language plpgsql set search_path = audit, pg_temp as $$
begin
  if exists (
    select from regexp_matches(new.event,
      '"\$sealed":"1","key":"([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})"', 'g') as found (groups)
    where (select erased_at is null from audit.subject_key
      where tenant_id = new.tenant_id and key_id = found.groups[1]::uuid limit 1) is not true
  ) then
    raise exception 'a value of the event is sealed with an erased key' using errcode = 'AU410';
  end if;
  return new;
end
$$;
revoke execute on function audit.refuse_erased_key() from public;

create or replace trigger sealed_with_living_keys before insert on audit.event
  for each row when (strpos(new.event, '"$sealed":') > 0) execute function audit.refuse_erased_key();
