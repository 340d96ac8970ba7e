-- A generation is never had twice, and the cursor of a transport does not pass over events unseen (docs/adr/0013).
grant create on schema bus to {{job:bus}};

-- Also of a consumer that was forgotten and begins anew: what a process knows of the one before is void.
create sequence bus.generation as int;
select setval('bus.generation', (select coalesce(max(c.generation), 0) + 1 from bus.consumer c));
grant usage on sequence bus.generation to {{job:bus}};
alter table bus.consumer alter column generation set default nextval('bus.generation');

create or replace function bus.replay(a_consumer text, a_after bigint, a_tenant uuid) returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  kinds text[];
  reached bigint;
begin
  perform pg_advisory_xact_lock(1112888112, hashtext(a_consumer));
  select c.types, c.position into kinds, reached from bus.consumer c where c.name = a_consumer;
  if not found then return null; end if;
  -- A transport has one cursor for all tenants.
  if kinds is null and a_tenant is not null then return -1; end if;
  update bus.inbox i set position = a_after
    where i.consumer = a_consumer and i.position > a_after and (a_tenant is null or i.tenant_id = a_tenant);
  delete from bus.dead_letter l
    where l.consumer = a_consumer and l.position > a_after and (a_tenant is null or l.tenant_id = a_tenant);
  update bus.behind b set start_at = least(b.start_at, a_after), attempts = 0, event_id = null, error_code = null,
      next_at = clock_timestamp(), parked_at = null
    where b.consumer = a_consumer and (a_tenant is null or b.tenant_id = a_tenant);
  if a_tenant is null then
    update bus.consumer c set position = least(c.position, a_after), generation = nextval('bus.generation'),
        checked = case when c.types is null then least(c.position, a_after) else c.checked end
      where c.name = a_consumer;
  else
    insert into bus.behind (tenant_id, consumer, start_at) values (a_tenant, a_consumer, least(a_after, reached))
      on conflict do nothing;
  end if;
  return (select count(*) from bus.outbox o where o.position > a_after and o.position <= reached
    and (a_tenant is null or o.tenant_id = a_tenant) and (kinds is null or o.type = any(kinds)));
end $$;

-- A transport has no inboxes: `checked` is how far it has sent, noted with its cursor. What was before counts as sent.
update bus.consumer set checked = position where types is null;

-- Puts the cursor of a transport back where somebody has moved it on, or it goes further than the outbox ever did: to where
-- it was, or before the first event that came after it had moved. How many events it had passed over.
create function bus.put_back(a_consumer text) returns int
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

-- As before; a transport's cursor is put back.
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

-- As before; where the cursor was put back, that is where the portion begins.
create or replace function bus.draw(a_consumer text, a_types text[], a_generation int, a_seen bigint, a_window bigint, most int)
  returns table
  (start_at bigint, generation int, upto bigint, horizon bigint, passed int,
   tenant_id uuid, event_id uuid, pos bigint, type text, source text, subject text, data text, correlation_id text,
   causation_id text, occurred_at text, behind boolean, had bigint)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  claimed record;
  after bigint;
begin
  perform bus.leads();
  select * into claimed from bus.claim(a_consumer);
  if claimed.start_at is null then return; end if;
  passed := bus.look_back(a_consumer, claimed.horizon);
  if a_types is null then select * into claimed from bus.claim(a_consumer); end if;
  start_at := claimed.start_at;
  generation := claimed.generation;
  horizon := claimed.horizon;
  -- Up to there is nothing; least() passes over null.
  after := greatest(start_at, least(claimed.first_at - 1, horizon));
  if generation = a_generation and a_seen > after and not exists (
    select from bus.outbox o where o.position > after and o.position <= a_seen and (a_types is null or o.type = any(a_types))) then
    after := a_seen;
  end if;
  upto := greatest(after, least(horizon, after + a_window));
  return next;
  -- By a statement of its own: the rows are newer than the marks.
  return query select null::bigint, null::int, null::bigint, null::bigint, null::int,
      o.tenant_id, o.event_id, o.position, o.type, o.source, o.subject, o.data, o.correlation_id, o.causation_id,
      to_char(o.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      exists (select from bus.behind b where b.tenant_id = o.tenant_id and b.consumer = a_consumer),
      coalesce((select i.position from bus.inbox i where i.tenant_id = o.tenant_id and i.consumer = a_consumer), 0)
    from bus.outbox o
    where o.position > after and o.position <= upto and (a_types is null or o.type = any(a_types))
    order by o.position limit most;
end $$;

-- As before; what a transport has sent is noted with its cursor.
create or replace function bus.advance(a_consumer text, a_generation int, a_after bigint, a_through bigint,
  a_tenants uuid[], a_attempts int[], a_waits float8[], a_events uuid[], a_codes text[]) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if cardinality(a_tenants) = 0 then perform set_config('synchronous_commit', 'off', true); end if;
  update bus.consumer c set position = a_through, moved_at = clock_timestamp(), in_hand = true,
      checked = case when c.types is null then a_through
        else coalesce(nullif(current_setting('bus.checked', true), '')::bigint, c.checked) end
    where c.name = a_consumer and c.generation = a_generation and c.position = a_after;
  if not found then raise exception 'the cursor of % was moved by somebody else', a_consumer using errcode = 'BU002'; end if;
  insert into bus.behind (tenant_id, consumer, start_at, attempts, event_id, error_code, next_at)
    select t, a_consumer, a_after, n, e, code, clock_timestamp() + make_interval(secs => w)
    from unnest(a_tenants, a_attempts, a_waits, a_events, a_codes) as one (t, n, w, e, code)
    on conflict do nothing;
end $$;

alter function bus.put_back(text) owner to {{job:bus}};
revoke execute on function bus.put_back(text) from public;
revoke create on schema bus from {{job:bus}};
