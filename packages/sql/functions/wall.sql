-- Whether this transaction is the application's; null if there is no wall yet.
create or replace function platform.is_application() returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_wall platform.wall;
  v_due bytea;
begin
  select * into v_wall from platform.wall;
  if not found then
    return null;
  end if;
  v_due := sha256(v_wall.outer_pad || sha256(v_wall.inner_pad || convert_to('steward/wall/v1 ' || pg_current_xact_id(), 'UTF8')));
  -- Compares hashes that nobody outside can foresee, so the time that it takes reveals nothing about the mark.
  return sha256(v_wall.outer_pad || v_due) = sha256(v_wall.outer_pad || decode(coalesce(current_setting('app.mark', true), ''), 'hex'));
end $$;
alter function platform.is_application() owner to {{job:wall}};
revoke execute on function platform.is_application() from public;
grant execute on function platform.is_application() to {{app}};

-- Once, before anything is served; only the owner of the table takes it down.
create or replace function platform.raise_wall(p_key bytea) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_inner bytea := decode(repeat('36', 64), 'hex');
  v_outer bytea := decode(repeat('5c', 64), 'hex');
begin
  if length(p_key) <> 32 then
    raise exception 'a wall has a key of 32 bytes' using errcode = '22023';
  end if;
  for n in 0..31 loop
    v_inner := set_byte(v_inner, n, get_byte(v_inner, n) # get_byte(p_key, n));
    v_outer := set_byte(v_outer, n, get_byte(v_outer, n) # get_byte(p_key, n));
  end loop;
  insert into platform.wall (inner_pad, outer_pad) values (v_inner, v_outer) on conflict do nothing;
end $$;
alter function platform.raise_wall(bytea) owner to {{job:wall}};
revoke execute on function platform.raise_wall(bytea) from public;
grant execute on function platform.raise_wall(bytea) to {{app}};

-- For tables that decide: a trigger for each statement. Who owns the database, or is above it, could take the trigger away.
create or replace function platform.refuse_others() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if platform.is_application() is false and not exists (
    select from pg_roles r where r.rolname = session_user and (r.rolsuper
      or r.oid = (select c.relowner from pg_class c where c.oid = tg_relid))) then
    raise exception '%.% is written by the application alone', tg_table_schema, tg_table_name using errcode = '42501';
  end if;
  return null;
end $$;
alter function platform.refuse_others() owner to {{job:wall}};
revoke execute on function platform.refuse_others() from public;
