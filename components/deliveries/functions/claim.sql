-- Gives a process endpoints that have something to send and that no other process has: the longest due of each tenant, so many that `share` of them are
-- under way, and `most` in all. A tenant of which nothing is under way gets one, however full the process is. `failing`: seconds since the first failure
-- without a success.
create or replace function deliveries.claim(an_owner uuid, a_lease interval, most int, share int)
returns table (tenant_id uuid, endpoint_id uuid, failures int, failing float8)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
#variable_conflict use_column
declare
  turn record;
  busy int;
  given int;
begin
  -- What is due of all is looked at before tenants are, of which each is a look of its own.
  if not exists (select from deliveries.queue w
    where w.due_at <= statement_timestamp() and coalesce(w.hold_until <= statement_timestamp(), true)
      and (w.owner is null or w.owner = an_owner and w.resting or w.owner <> an_owner and w.lease_until <= statement_timestamp())) then return; end if;
  for turn in
    with recursive scheduled (tenant_id, due_at) as (
      (select w.tenant_id, w.due_at from deliveries.queue w where w.due_at < 'infinity' order by w.tenant_id, w.due_at limit 1)
      union all
      select next.tenant_id, next.due_at from scheduled s cross join lateral (select w.tenant_id, w.due_at from deliveries.queue w
        where w.due_at < 'infinity' and w.tenant_id > s.tenant_id order by w.tenant_id, w.due_at limit 1) next)
    select s.tenant_id from scheduled s where s.due_at <= statement_timestamp()
  loop
    select count(*) into busy from deliveries.queue w where w.owner = an_owner and w.tenant_id = turn.tenant_id and not w.resting;
    return query update deliveries.queue q set owner = an_owner, lease_until = clock_timestamp() + a_lease, resting = false
      from (select w.tenant_id, w.endpoint_id from deliveries.queue w
        where w.tenant_id = turn.tenant_id and w.due_at <= statement_timestamp() and coalesce(w.hold_until <= statement_timestamp(), true)
          and (w.owner is null or w.owner = an_owner and w.resting or w.owner <> an_owner and w.lease_until <= statement_timestamp())
        order by w.due_at limit greatest(least(share - busy, most), case when busy = 0 then 1 else 0 end) for no key update skip locked) due
      where q.tenant_id = due.tenant_id and q.endpoint_id = due.endpoint_id
      returning q.tenant_id, q.endpoint_id, q.failures, extract(epoch from clock_timestamp() - q.failing_since)::float8;
    get diagnostics given = row_count;
    most := most - given;
  end loop;
end $$;
alter function deliveries.claim(uuid, interval, int, int) owner to {{job:deliveries}};
revoke execute on function deliveries.claim(uuid, interval, int, int) from public;
grant execute on function deliveries.claim(uuid, interval, int, int) to {{app}};

-- The process lives: it keeps what it has. Answers what it has, and the version of each endpoint that is active; null: it sends nothing any more.
create or replace function deliveries.renew(an_owner uuid, a_lease interval) returns table (tenant_id uuid, endpoint_id uuid, version int)
language sql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  update deliveries.queue q set lease_until = clock_timestamp() + a_lease where q.owner = an_owner
  returning q.tenant_id, q.endpoint_id, (select e.version from deliveries.endpoint e
    where e.tenant_id = q.tenant_id and e.endpoint_id = q.endpoint_id and e.status = 'active')
$$;
alter function deliveries.renew(uuid, interval) owner to {{job:deliveries}};
revoke execute on function deliveries.renew(uuid, interval) from public;
grant execute on function deliveries.renew(uuid, interval) to {{app}};

-- The process has nothing to send to these endpoints up to `place`. Where there is more, it goes on (`more`); else it rests until something is due, and
-- no longer than `hold` seconds if that is given: nothing is sent before. `leaves`: another process may have it.
create or replace function deliveries.rest(an_owner uuid, lanes json) returns table (tenant_id uuid, endpoint_id uuid, more boolean)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
#variable_conflict use_column
declare
  lane record;
begin
  for lane in select * from json_to_recordset(lanes) as l (tenant_id uuid, endpoint_id uuid, place bigint, hold float8, leaves boolean)
    order by l.tenant_id, l.endpoint_id
  loop
    -- Waits for whoever adds something, so that it is seen.
    perform from deliveries.queue q
      where q.tenant_id = lane.tenant_id and q.endpoint_id = lane.endpoint_id and q.owner = an_owner for update;
    continue when not found;
    tenant_id := lane.tenant_id;
    endpoint_id := lane.endpoint_id;
    more := lane.hold is null and not lane.leaves and exists (select from deliveries.delivery d
      where d.tenant_id = lane.tenant_id and d.endpoint_id = lane.endpoint_id and d.state = 'pending' and d.next_at is null
        and d.place > lane.place);
    if not more then
      update deliveries.queue q set resting = true,
          owner = case when lane.leaves then null else q.owner end,
          hold_until = case when lane.hold is null then q.hold_until else clock_timestamp() + lane.hold * interval '1 second' end,
          due_at = case
            when not exists (select from deliveries.endpoint e where e.tenant_id = q.tenant_id and e.endpoint_id = q.endpoint_id and e.status = 'active')
              then 'infinity'
            when lane.hold is not null then clock_timestamp() + lane.hold * interval '1 second'
            when exists (select from deliveries.delivery d where d.tenant_id = q.tenant_id and d.endpoint_id = q.endpoint_id
                and d.state = 'pending' and d.next_at is null and (lane.leaves or d.place > lane.place)) then clock_timestamp()
            else coalesce((select min(d.next_at) from deliveries.delivery d where d.tenant_id = q.tenant_id
                and d.endpoint_id = q.endpoint_id and d.state = 'pending' and d.next_at is not null), 'infinity') end
        where q.tenant_id = lane.tenant_id and q.endpoint_id = lane.endpoint_id;
    end if;
    return next;
  end loop;
end $$;
alter function deliveries.rest(uuid, json) owner to {{job:deliveries}};
revoke execute on function deliveries.rest(uuid, json) from public;
grant execute on function deliveries.rest(uuid, json) to {{app}};
