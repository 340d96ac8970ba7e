-- Puts events of the transaction's tenant behind everything that waits for an endpoint, once more where it had them. Its queue is locked first, so
-- that nothing is added meanwhile and rows become visible in their order. What waits already stays where it is. Answers how many were put.
create or replace function deliveries.replay(an_endpoint uuid, events json) returns int
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
declare
  a_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  put int;
begin
  perform from deliveries.queue q where q.tenant_id = a_tenant and q.endpoint_id = an_endpoint and q.removed_at is null for update;
  if not found then return 0; end if;
  with event as (
    select e.*, case when p.ordering = 'subject' then e.subject end as ordering_key
    from json_to_recordset(events) as e (position bigint, event_id uuid, type text, subject text, body text)
    join deliveries.endpoint p on p.tenant_id = a_tenant and p.endpoint_id = an_endpoint),
  placed as (
    insert into deliveries.delivery as d (tenant_id, endpoint_id, position, event_id, type, subject, body, ordering_key)
    select a_tenant, an_endpoint, e.position, e.event_id, e.type, e.subject, e.body, e.ordering_key from event e order by e.position
    on conflict (tenant_id, endpoint_id, position) do update set
      place = default, state = 'pending', next_at = null, first_tried_at = null, settled_at = null, ordering_key = excluded.ordering_key,
      body = excluded.body
      where d.state <> 'pending'
    returning 1)
  select count(*) into put from placed;
  -- Also of one that is paused: it is sent once that is resumed.
  update deliveries.queue q set due_at = case e.status when 'active' then greatest(clock_timestamp(), q.hold_until) else q.due_at end,
      replayed = case when q.replay_day = (clock_timestamp() at time zone 'UTC')::date then q.replayed else 0 end + put,
      replay_day = (clock_timestamp() at time zone 'UTC')::date
    from deliveries.endpoint e
    where q.tenant_id = a_tenant and q.endpoint_id = an_endpoint and e.tenant_id = a_tenant and e.endpoint_id = an_endpoint;
  return put;
end $$;
alter function deliveries.replay(uuid, json) owner to {{job:deliveries}};
revoke execute on function deliveries.replay(uuid, json) from public;
grant execute on function deliveries.replay(uuid, json) to {{app}};

-- The same of what an agent was told: as it was, to the byte. One, or what happened in the time behind `behind`, `most` rows at a time. Answers
-- how many were put, how many were looked at, and up to which.
create or replace function deliveries.replay_told(an_endpoint uuid, a_position bigint, behind bigint, since timestamptz, until timestamptz, most int)
returns table (put int, seen int, through bigint)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
declare
  a_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  told record;
begin
  put := 0;
  seen := 0;
  perform from deliveries.queue q where q.tenant_id = a_tenant and q.endpoint_id = an_endpoint and q.removed_at is null for update;
  -- One after the other, because their places are their order.
  for told in select d.position, d.state from deliveries.delivery d where d.tenant_id = a_tenant and d.endpoint_id = an_endpoint
      and case when a_position is null then d.position > coalesce(behind, 0) and coalesce(d.occurred_at >= since, true) and coalesce(d.occurred_at < until, true)
        else d.position = a_position end
    order by d.position limit most
  loop
    seen := seen + 1;
    through := told.position;
    continue when told.state = 'pending';
    update deliveries.delivery d set place = default, state = 'pending', next_at = null, first_tried_at = null, settled_at = null
      where d.tenant_id = a_tenant and d.endpoint_id = an_endpoint and d.position = told.position;
    put := put + 1;
  end loop;
  update deliveries.queue q set due_at = case e.status when 'active' then greatest(clock_timestamp(), q.hold_until) else q.due_at end,
      replayed = case when q.replay_day = (clock_timestamp() at time zone 'UTC')::date then q.replayed else 0 end + put,
      replay_day = (clock_timestamp() at time zone 'UTC')::date
    from deliveries.endpoint e
    where q.tenant_id = a_tenant and q.endpoint_id = an_endpoint and e.tenant_id = a_tenant and e.endpoint_id = an_endpoint;
  return next;
end $$;
alter function deliveries.replay_told(uuid, bigint, bigint, timestamptz, timestamptz, int) owner to {{job:deliveries}};
revoke execute on function deliveries.replay_told(uuid, bigint, bigint, timestamptz, timestamptz, int) from public;
grant execute on function deliveries.replay_told(uuid, bigint, bigint, timestamptz, timestamptz, int) to {{app}};
