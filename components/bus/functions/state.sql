-- How far every consumer is. Waiting events are counted up to 10,000, and looked for among 50,000 positions.
create or replace function bus.state() returns table
  (name text, pos bigint, head bigint, waiting int, oldest_at timestamptz, moved_at timestamptz, behind int, parked int,
   behind_since timestamptz, dead_letters int, passed_over bigint)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  select c.name, c.position, s.last_value,
    (select count(*)::int from (select from bus.outbox o where o.position > c.position and o.position <= c.position + 50000
      and (c.types is null or o.type = any(c.types)) limit 10000) w),
    (select o.occurred_at from bus.outbox o where o.position > c.position and o.position <= c.position + 50000
      and (c.types is null or o.type = any(c.types)) order by o.position limit 1),
    c.moved_at,
    (select count(*)::int from bus.behind b where b.consumer = c.name and b.parked_at is null),
    (select count(*)::int from bus.behind b where b.consumer = c.name and b.parked_at is not null),
    (select min(b.since) from bus.behind b where b.consumer = c.name and b.parked_at is null),
    (select count(*)::int from bus.dead_letter l where l.consumer = c.name),
    c.passed_over
  from bus.consumer c, bus.outbox_position_seq s order by c.name
$$;
alter function bus.state() owner to {{job:bus}};
revoke execute on function bus.state() from public;
grant execute on function bus.state() to {{app}};

-- Acknowledges skipped events; answers how many there were, null if there is no such consumer.
create or replace function bus.acknowledge(a_consumer text) returns bigint
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  with known as (select c.name, c.passed_over from bus.consumer c where c.name = a_consumer for update)
  update bus.consumer c set passed_over = 0 from known where c.name = known.name returning known.passed_over
$$;
alter function bus.acknowledge(text) owner to {{job:bus}};
revoke execute on function bus.acknowledge(text) from public;
grant execute on function bus.acknowledge(text) to current_user;
