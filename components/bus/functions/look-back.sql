-- Looks below the cursor of a claimed consumer for events that no inbox has and no tenant is behind for: such a tenant is left
-- behind at the first one, so that it has them in order before what follows; a transport's cursor is put back. How many there were;
-- what was looked at is noted by advance(). 50,000 positions at a time, and only what is final.
create or replace function bus.look_back(a_consumer text, a_horizon bigint) returns int
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  c bus.consumer;
  upto bigint;
  passed int := 0;
begin
  select * into c from bus.consumer w where w.name = a_consumer;
  if c.types is null then
    passed := bus.put_back(a_consumer);
    perform set_config('bus.checked', (select w.checked from bus.consumer w where w.name = a_consumer)::text, true);
    return passed;
  end if;
  upto := least(c.position, a_horizon, c.checked + 50000);
  perform set_config('bus.checked', upto::text, true);
  if upto <= c.checked then return 0; end if;
  with last as (
    select o.tenant_id, max(o.position) as at from bus.outbox o
    where o.position > c.checked and o.position <= upto and o.type = any(c.types) group by o.tenant_id),
  short as (
    select l.tenant_id, greatest(c.checked, i.position) as had from last l
    left join bus.inbox i on i.tenant_id = l.tenant_id and i.consumer = a_consumer
    where l.at > coalesce(i.position, 0)
      and not exists (select from bus.behind b where b.tenant_id = l.tenant_id and b.consumer = a_consumer)),
  missed as (
    select s.tenant_id, min(o.position) - 1 as start_at, count(*) as events from short s
    join bus.outbox o on o.tenant_id = s.tenant_id and o.position > s.had and o.position <= upto and o.type = any(c.types)
    group by s.tenant_id),
  left_behind as (
    insert into bus.behind (tenant_id, consumer, start_at, error_code)
    select m.tenant_id, a_consumer, m.start_at, 'passed_over' from missed m on conflict do nothing)
  select coalesce(sum(m.events), 0)::int into passed from missed m;
  if passed > 0 then
    update bus.consumer w set passed_over = w.passed_over + passed where w.name = a_consumer;
  end if;
  return passed;
end $$;
alter function bus.look_back(text, bigint) owner to {{job:bus}};
revoke execute on function bus.look_back(text, bigint) from public;

-- The same for consumers that no round has claimed, and stored at once; answers the consumers that skipped something.
create or replace function bus.look_back_at(a_consumers text[]) returns table (name text, passed int)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  final bigint;
begin
  perform bus.leads();
  for name in select c.name from bus.consumer c where c.name = any(a_consumers) and (c.types is null or c.checked < c.position) loop
    continue when not pg_try_advisory_xact_lock(1112888112, hashtext(name));
    final := bus.horizon();
    passed := bus.look_back(name, final);
    update bus.consumer c set checked = current_setting('bus.checked')::bigint
      where c.name = look_back_at.name and c.checked <> current_setting('bus.checked')::bigint;
    if passed > 0 then return next; end if;
  end loop;
end $$;
alter function bus.look_back_at(text[]) owner to {{job:bus}};
revoke execute on function bus.look_back_at(text[]) from public;
grant execute on function bus.look_back_at(text[]) to {{app}};

-- Puts the cursor of a transport back if somebody has moved it on, or if it is above the end of the outbox: to where
-- it was, or before the first event that came after the move. Answers how many events it had skipped.
create or replace function bus.put_back(a_consumer text) returns int
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  c bus.consumer;
  head bigint;
  sent bigint;
  passed int;
begin
  select * into c from bus.consumer w where w.name = a_consumer;
  -- Not the horizon, which may go back.
  select case when s.is_called then s.last_value else s.last_value - 1 end into head from bus.outbox_position_seq s;
  sent := least(c.checked, c.position);
  if sent > head then
    select coalesce(min(o.position) - 1, head) into sent from bus.outbox o where o.occurred_at >= c.moved_at;
  end if;
  if sent = c.position and sent = c.checked then return 0; end if;
  select count(*) into passed from bus.outbox o where o.position > sent and o.position <= c.position;
  update bus.consumer w set position = sent, checked = sent, passed_over = w.passed_over + passed,
      generation = nextval('bus.generation')
    where w.name = a_consumer;
  return passed;
end $$;
alter function bus.put_back(text) owner to {{job:bus}};
revoke execute on function bus.put_back(text) from public;
