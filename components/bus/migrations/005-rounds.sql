-- A round in fewer trips: its claim brings the events, and a tenant's place is moved by what travels with the handler's
-- first statement, or with the commit where it has none (docs/adr/0013).
grant create on schema bus to {{job:bus}};

-- Claims a consumer and reads its next events: above `a_seen`, unless a replay has begun another generation since. The first
-- row is the claim, without an event: where the consumer is, up to which position all of its events are in the other rows
-- unless they are `most`, and how far anything is final. No row where the consumer is another's. `had`: the tenant's inbox.
create function bus.draw(a_consumer text, a_types text[], a_generation int, a_seen bigint, a_window bigint, most int)
  returns table
  (start_at bigint, generation int, upto bigint, horizon bigint,
   tenant_id uuid, event_id uuid, pos bigint, type text, source text, subject text, data text, correlation_id text,
   causation_id text, occurred_at text, behind boolean, had bigint)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  claimed record;
  after bigint;
begin
  select * into claimed from bus.claim(a_consumer);
  if claimed.start_at is null then return; end if;
  start_at := claimed.start_at;
  generation := claimed.generation;
  horizon := claimed.horizon;
  -- Up to there is nothing; least() passes over null.
  after := greatest(start_at, least(claimed.first_at - 1, horizon));
  if generation = a_generation then after := greatest(after, a_seen); end if;
  upto := greatest(after, least(horizon, after + a_window));
  return next;
  -- By a statement of its own: the rows are newer than the marks.
  return query select null::bigint, null::int, null::bigint, null::bigint,
      o.tenant_id, o.event_id, o.position, o.type, o.source, o.subject, o.data, o.correlation_id, o.causation_id,
      to_char(o.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      exists (select from bus.behind b where b.tenant_id = o.tenant_id and b.consumer = a_consumer),
      coalesce((select i.position from bus.inbox i where i.tenant_id = o.tenant_id and i.consumer = a_consumer), 0)
    from bus.outbox o
    where o.position > after and o.position <= upto and (a_types is null or o.type = any(a_types))
    order by o.position limit most;
end $$;
drop function bus.fetch(text, text[], bigint, bigint, int);

-- As before; where the cursor is not there any more it raises, so that the commit that it travels with fails.
drop function bus.advance(text, int, bigint, bigint, uuid[], int[], float8[], uuid[], text[]);
create function bus.advance(a_consumer text, a_generation int, a_after bigint, a_through bigint,
  a_tenants uuid[], a_attempts int[], a_waits float8[], a_events uuid[], a_codes text[]) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update bus.consumer c set position = a_through, moved_at = clock_timestamp()
    where c.name = a_consumer and c.generation = a_generation and c.position = a_after;
  if not found then raise exception 'the cursor of % was moved by somebody else', a_consumer using errcode = 'BU002'; end if;
  insert into bus.behind (tenant_id, consumer, start_at, attempts, event_id, error_code, next_at)
    select t, a_consumer, a_after, n, e, code, clock_timestamp() + make_interval(secs => w)
    from unnest(a_tenants, a_attempts, a_waits, a_events, a_codes) as one (t, n, w, e, code)
    on conflict do nothing;
end $$;

-- Locks the tenant's inbox and moves it on, as the application and within its walls. Raises where it is not at `a_had`
-- (0: nowhere yet), or where another transaction has it: nobody is waited for.
create function bus.take(a_tenant uuid, a_consumer text, a_had bigint, a_through bigint) returns void
language plpgsql volatile as $$
declare
  patience text;
begin
  with held as (select from bus.inbox
    where tenant_id = a_tenant and consumer = a_consumer and position = a_had for update skip locked)
  update bus.inbox i set position = a_through from held where i.tenant_id = a_tenant and i.consumer = a_consumer;
  if found then return; end if;
  if a_had = 0 then
    begin
      patience := pg_catalog.current_setting('lock_timeout');
      perform pg_catalog.set_config('lock_timeout', '100', true);
      insert into bus.inbox (tenant_id, consumer, position) values (a_tenant, a_consumer, a_through) on conflict do nothing;
      if found then
        perform pg_catalog.set_config('lock_timeout', patience, true);
        return;
      end if;
    exception when lock_not_available then null;
    end;
  end if;
  raise exception 'the tenant is in another''s hand' using errcode = 'BU001';
end $$;

do $$
declare one regprocedure;
begin
  for one in select p.oid::regprocedure from pg_proc p where p.pronamespace = 'bus'::regnamespace
      and p.proname in ('draw', 'advance') loop
    execute format('alter function %s owner to {{job:bus}}', one);
    execute format('revoke execute on function %s from public', one);
    execute format('grant execute on function %s to {{app}}', one);
  end loop;
end $$;
revoke execute on function bus.take(uuid, text, bigint, bigint) from public;
grant execute on function bus.take(uuid, text, bigint, bigint) to {{app}};
revoke create on schema bus from {{job:bus}};
