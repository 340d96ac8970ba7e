-- Whether a process that had a consumer may have ended in the middle of it (docs/adr/0013): only then is its first round careful.
alter table bus.consumer add column in_hand boolean not null default true;

grant create on schema bus to {{job:bus}};

-- Notes a consumer that this version has; a new one begins at the first event that is kept. Answers whether it was let go
-- of in order, or is new.
drop function bus.enroll(text, text[]);
create function bus.enroll(a_name text, a_types text[]) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare was_in_hand boolean;
begin
  select c.in_hand into was_in_hand from bus.consumer c where c.name = a_name for update;
  insert into bus.consumer as c (name, types) values (a_name, a_types)
    on conflict (name) do update set types = excluded.types, in_hand = true
    where not c.in_hand or c.types is distinct from excluded.types;
  return was_in_hand is not true;
end $$;

-- A process ends in order. Another one that goes on with them says so with the next round.
create function bus.let_go(a_names text[]) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update bus.consumer c set in_hand = false where c.name = any(a_names)
$$;

-- As before; and nobody waits for the disk. Where the server dies before this commit is on it, the cursor is where it was,
-- as are the tenants left behind with it, and the inboxes know what was had.
create or replace function bus.advance(a_consumer text, a_generation int, a_after bigint, a_through bigint,
  a_tenants uuid[], a_attempts int[], a_waits float8[], a_events uuid[], a_codes text[]) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  update bus.consumer c set position = a_through, moved_at = clock_timestamp(), in_hand = true
    where c.name = a_consumer and c.generation = a_generation and c.position = a_after;
  if not found then raise exception 'the cursor of % was moved by somebody else', a_consumer using errcode = 'BU002'; end if;
  insert into bus.behind (tenant_id, consumer, start_at, attempts, event_id, error_code, next_at)
    select t, a_consumer, a_after, n, e, code, clock_timestamp() + make_interval(secs => w)
    from unnest(a_tenants, a_attempts, a_waits, a_events, a_codes) as one (t, n, w, e, code)
    on conflict do nothing;
end $$;

alter function bus.enroll(text, text[]) owner to {{job:bus}};
alter function bus.let_go(text[]) owner to {{job:bus}};
revoke create on schema bus from {{job:bus}};
revoke execute on function bus.enroll(text, text[]), bus.let_go(text[]) from public;
grant execute on function bus.enroll(text, text[]), bus.let_go(text[]) to {{app}};
