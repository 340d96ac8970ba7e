-- Whether a process that had a consumer may have ended in the middle of it (docs/adr/0013): only then is its first round careful.
alter table bus.consumer add column in_hand boolean not null default true;

grant create on schema bus to {{job:bus}};

-- Notes a consumer that this version has; a new one begins at the first event that is kept. Answers whether it can be gone on
-- with as usual: it is new, was let go of in order, or nothing waits for it longer than others need to handle it.
drop function bus.enroll(text, text[]);
create function bus.enroll(a_name text, a_types text[]) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare was_in_hand boolean;
begin
  select c.in_hand into was_in_hand from bus.consumer c where c.name = a_name for update;
  insert into bus.consumer as c (name, types) values (a_name, a_types)
    on conflict (name) do update set types = excluded.types, in_hand = true
    where not c.in_hand or c.types is distinct from excluded.types;
  return was_in_hand is not true or not exists (select from (
    select o.occurred_at from bus.consumer c, bus.outbox o
    where c.name = a_name and o.position > c.position and o.position <= c.position + 50000
      and (a_types is null or o.type = any(a_types))
    order by o.position limit 1) first where first.occurred_at < clock_timestamp() - interval '250 milliseconds');
end $$;

-- A process ends in order. Another one that goes on with them says so with the next round.
create function bus.let_go(a_names text[]) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update bus.consumer c set in_hand = false where c.name = any(a_names)
$$;

-- As before; and where nobody is left behind, nobody waits for the disk. If the server dies before this commit is on it, the
-- cursor is where it was, and the inboxes know what was had.
create or replace function bus.advance(a_consumer text, a_generation int, a_after bigint, a_through bigint,
  a_tenants uuid[], a_attempts int[], a_waits float8[], a_events uuid[], a_codes text[]) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if cardinality(a_tenants) = 0 then perform set_config('synchronous_commit', 'off', true); end if;
  update bus.consumer c set position = a_through, moved_at = clock_timestamp(), in_hand = true
    where c.name = a_consumer and c.generation = a_generation and c.position = a_after;
  if not found then raise exception 'the cursor of % was moved by somebody else', a_consumer using errcode = 'BU002'; end if;
  insert into bus.behind (tenant_id, consumer, start_at, attempts, event_id, error_code, next_at)
    select t, a_consumer, a_after, n, e, code, clock_timestamp() + make_interval(secs => w)
    from unnest(a_tenants, a_attempts, a_waits, a_events, a_codes) as one (t, n, w, e, code)
    on conflict do nothing;
end $$;

-- As before; but of an outbox that never had an event the end is 0.
create or replace function bus.poll(a_consumers text[]) returns table
  (head bigint, names text[], positions bigint[], generations int[], behind boolean, letters boolean)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  select (select case when s.is_called then s.last_value else s.last_value - 1 end from bus.outbox_position_seq s),
    c.names, c.positions, c.generations,
    exists (select from bus.behind b where b.parked_at is null and b.next_at <= clock_timestamp() and b.consumer = any(a_consumers)),
    exists (select from bus.dead_letter l where l.retry_at <= clock_timestamp() and l.consumer = any(a_consumers))
  from (select array_agg(name) as names, array_agg(position) as positions, array_agg(generation) as generations
    from bus.consumer where name = any(a_consumers)) c
$$;

alter function bus.enroll(text, text[]) owner to {{job:bus}};
alter function bus.let_go(text[]) owner to {{job:bus}};
revoke create on schema bus from {{job:bus}};
revoke execute on function bus.enroll(text, text[]), bus.let_go(text[]) from public;
grant execute on function bus.enroll(text, text[]), bus.let_go(text[]) to {{app}};
