-- Registers a consumer of this version; a new one begins at the first event that is kept. Answers whether it can continue without
-- a careful start: it is new, it was released in order, or no event has waited longer than other processes need to handle it. Events
-- that it skipped while it had other types are not missing.
create or replace function bus.enroll(a_name text, a_types text[]) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare was_in_hand boolean;
begin
  select c.in_hand into was_in_hand from bus.consumer c where c.name = a_name for update;
  insert into bus.consumer as c (name, types) values (a_name, a_types)
    on conflict (name) do update set types = excluded.types, in_hand = true,
      checked = case when c.types is distinct from excluded.types then greatest(c.checked, c.position) else c.checked end
    where not c.in_hand or c.types is distinct from excluded.types;
  return was_in_hand is not true or not exists (select from (
    select o.occurred_at from bus.consumer c, bus.outbox o
    where c.name = a_name and o.position > c.position and o.position <= c.position + 50000
      and (a_types is null or o.type = any(a_types))
    order by o.position limit 1) first where first.occurred_at < clock_timestamp() - interval '250 milliseconds');
end $$;
alter function bus.enroll(text, text[]) owner to {{job:bus}};
revoke execute on function bus.enroll(text, text[]) from public;
grant execute on function bus.enroll(text, text[]) to {{app}};

-- Releases consumers when a process ends in order. A process that continues with them sets the flag again with its next round.
create or replace function bus.let_go(a_names text[]) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update bus.consumer c set in_hand = false where c.name = any(a_names)
$$;
alter function bus.let_go(text[]) owner to {{job:bus}};
revoke execute on function bus.let_go(text[]) from public;
grant execute on function bus.let_go(text[]) to {{app}};
