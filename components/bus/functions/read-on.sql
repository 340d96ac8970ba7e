-- Events of the transaction's tenant behind a position, of the given types (null: all), in their order. The first row is the
-- horizon, without an event: what comes later is behind it. As the application and within the tenant's walls.
create or replace function bus.read_on(a_after bigint, a_types text[], a_most int) returns table
  (horizon bigint, tenant_id uuid, event_id uuid, pos bigint, type text, source text, subject text, data text, correlation_id text,
   causation_id text, occurred_at text)
language plpgsql volatile
set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  horizon := bus.horizon();
  return next;
  -- By a statement of its own: the rows are newer than the marks.
  return query select null::bigint, o.tenant_id, o.event_id, o.position, o.type, o.source, o.subject, o.data, o.correlation_id, o.causation_id,
      to_char(o.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    from bus.outbox o
    where o.tenant_id = nullif(pg_catalog.current_setting('app.tenant_id', true), '')::uuid
      and o.position > a_after and o.position <= read_on.horizon and (a_types is null or o.type = any(a_types))
    order by o.position limit a_most;
end $$;
revoke execute on function bus.read_on(bigint, text[], int) from public;
grant execute on function bus.read_on(bigint, text[], int) to {{app}};

-- Of these tenants, those with events behind a position and up to the horizon, which is in every row; one without a tenant if there is none.
create or replace function bus.news(a_after bigint, a_tenants uuid[]) returns table (horizon bigint, tenant_id uuid)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
begin
  horizon := bus.horizon();
  return query select news.horizon, t.id from unnest(a_tenants) t (id)
    where exists (select from bus.outbox o where o.tenant_id = t.id and o.position > a_after and o.position <= news.horizon);
  if not found then return next; end if;
end $$;
alter function bus.news(bigint, uuid[]) owner to {{job:bus}};
revoke execute on function bus.news(bigint, uuid[]) from public;
grant execute on function bus.news(bigint, uuid[]) to {{app}};

-- Just before the first event since a moment.
create or replace function bus.position_at(a_time timestamptz) returns bigint
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  select bus.position_before(a_time)
$$;
alter function bus.position_at(timestamptz) owner to {{job:bus}};
revoke execute on function bus.position_at(timestamptz) from public;
grant execute on function bus.position_at(timestamptz) to {{app}};
