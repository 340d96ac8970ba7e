-- What every process polls: the end of the outbox (0 if there was never an event), the cursors of its consumers, and
-- whether anything is due.
create or replace function bus.poll(a_consumers text[]) returns table
  (head bigint, names text[], positions bigint[], generations int[], behind boolean, letters boolean)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  select (select case when s.is_called then s.last_value else s.last_value - 1 end from bus.outbox_position_seq s),
    c.names, c.positions, c.generations,
    exists (select from bus.behind b where b.parked_at is null and b.next_at <= clock_timestamp() and b.consumer = any(a_consumers)),
    exists (select from bus.dead_letter l where l.retry_at <= clock_timestamp() and l.consumer = any(a_consumers))
  from (select array_agg(name) as names, array_agg(position) as positions, array_agg(generation) as generations
    from bus.consumer where name = any(a_consumers)) c
  where bus.leads()
$$;
alter function bus.poll(text[]) owner to {{job:bus}};
revoke execute on function bus.poll(text[]) from public;
grant execute on function bus.poll(text[]) to {{app}};
