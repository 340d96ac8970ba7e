-- Puts an event of the transaction's tenant into the queue of each endpoint that wants it, or of one alone: what an agent is told, with the time at which
-- it happened. What endpoints have already stays as it is. The locks have whoever looks for new rows wait until they are visible.
create or replace function deliveries.enqueue(a_position bigint, an_event uuid, a_type text, a_subject text, a_body text, only_for uuid, an_occurrence timestamptz)
returns int
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
declare
  a_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  wanted uuid[];
begin
  select array_agg(e.endpoint_id) into wanted from deliveries.endpoint e
  where e.tenant_id = a_tenant and e.status <> 'disabled' and e.begins_after < a_position
    and case when only_for is null then e.agent_id is null and (e.types is null or a_type = any (e.types)) else e.endpoint_id = only_for end;
  if wanted is null then return 0; end if;
  perform from deliveries.queue q
    where q.tenant_id = a_tenant and q.endpoint_id = any (wanted) and q.removed_at is null order by q.endpoint_id for key share;
  insert into deliveries.delivery (tenant_id, endpoint_id, position, event_id, type, subject, body, ordering_key, occurred_at)
    select a_tenant, e.endpoint_id, a_position, an_event, a_type, a_subject, a_body, case when e.ordering = 'subject' then a_subject end, an_occurrence
    from deliveries.endpoint e where e.tenant_id = a_tenant and e.endpoint_id = any (wanted)
    on conflict do nothing;
  update deliveries.queue q set due_at = greatest(clock_timestamp(), q.hold_until) from deliveries.endpoint e
    where q.tenant_id = a_tenant and q.endpoint_id = any (wanted) and e.tenant_id = a_tenant and e.endpoint_id = q.endpoint_id
      and e.status = 'active' and q.due_at > greatest(clock_timestamp(), q.hold_until);
  return cardinality(wanted);
end $$;
alter function deliveries.enqueue(bigint, uuid, text, text, text, uuid, timestamptz) owner to {{job:deliveries}};
revoke execute on function deliveries.enqueue(bigint, uuid, text, text, text, uuid, timestamptz) from public;
grant execute on function deliveries.enqueue(bigint, uuid, text, text, text, uuid, timestamptz) to {{app}};
