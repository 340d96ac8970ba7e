-- Claims a consumer and reads its next events: above `a_seen`, unless a replay has begun another generation since. The first
-- row is the claim, without an event: the consumer's cursor; the position up to which all of its events are in the other rows,
-- unless there are `most` of them; the horizon; and how many events were found below the cursor (`passed`). No row if another
-- process has the consumer. `had`: the position of the tenant's inbox.
--
-- It first looks for events that the consumer has not handed over yet, and looks again at positions that a process has seen
-- empty: events there are the next. If the cursor of a transport was put back, the batch begins there.
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
alter function bus.draw(text, text[], int, bigint, bigint, int) owner to {{job:bus}};
revoke execute on function bus.draw(text, text[], int, bigint, bigint, int) from public;
grant execute on function bus.draw(text, text[], int, bigint, bigint, int) to {{app}};
