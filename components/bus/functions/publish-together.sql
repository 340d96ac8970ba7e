-- What several tenants announce in a transaction that they share: no tenant is set in it, each event names its own.
create or replace function bus.publish_together(p_events json) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if nullif(current_setting('app.tenant_id', true), '') is not null then
    raise exception 'events of many tenants belong to no tenant''s transaction' using errcode = '42501';
  end if;
  insert into bus.outbox (tenant_id, event_id, type, source, subject, data, correlation_id, causation_id)
  select tenant_id, event_id, type, source, subject, data, correlation_id, causation_id
  from json_to_recordset(p_events) as event
    (tenant_id uuid, event_id uuid, type text, source text, subject text, data text, correlation_id text, causation_id text);
end
$$;
alter function bus.publish_together(json) owner to {{job:bus}};
revoke execute on function bus.publish_together(json) from public;
grant execute on function bus.publish_together(json) to {{app}};
