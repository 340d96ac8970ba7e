-- A published version stays for ever: submissions are read with it.
create or replace function studio.refuse_change() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'studio.form_version is immutable' using errcode = '42501';
end $$;

create or replace trigger immutable before update or delete on studio.form_version
  for each row execute function studio.refuse_change();
create or replace trigger immutable_whole before truncate on studio.form_version
  for each statement execute function studio.refuse_change();

-- Numbers without a gap: the form's row counts, and a version that is not its next one is refused.
create or replace function studio.next_version() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if new.version <> (select coalesce(max(v.version), 0) + 1 from studio.form_version v
                     where v.tenant_id = new.tenant_id and v.form_id = new.form_id) then
    raise exception 'studio.form_version: % is not the next version', new.version using errcode = '23514';
  end if;
  return new;
end $$;

create or replace trigger next_version before insert on studio.form_version
  for each row execute function studio.next_version();
