-- The last sequence of a transport's stream when it was last seen (docs/adr/0015); null if it never was.
create or replace function bus.stream_at(a_consumer text) returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select c.sequence from bus.consumer c where c.name = a_consumer
$$;
alter function bus.stream_at(text) owner to {{job:bus}};
revoke execute on function bus.stream_at(text) from public;
grant execute on function bus.stream_at(text) to {{app}};

-- Keeps that number.
create or replace function bus.note_stream(a_consumer text, a_sequence bigint) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update bus.consumer c set sequence = a_sequence where c.name = a_consumer
$$;
alter function bus.note_stream(text, bigint) owner to {{job:bus}};
revoke execute on function bus.note_stream(text, bigint) from public;
grant execute on function bus.note_stream(text, bigint) to {{app}};

-- The stream of a claimed transport ends at this sequence, with this event (null: none of ours). Events above it that the cursor
-- has passed are lost there, so the cursor goes back; to the beginning if the sequence is lower than it was. A stream that was
-- emptied, or whose events have expired, continues its sequence. Answers how many events are sent again.
create or replace function bus.compare_stream(a_consumer text, a_sequence bigint, a_tenant uuid, a_event uuid) returns int
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  c bus.consumer;
  back bigint;
  lost int := 0;
begin
  select * into c from bus.consumer w where w.name = a_consumer;
  select o.position into back from bus.outbox o where o.tenant_id = a_tenant and o.event_id = a_event;
  if back is not null then
    select count(*) into lost from bus.outbox o where o.position > back and o.position <= c.position;
  end if;
  if lost = 0 and a_sequence < coalesce(c.sequence, 1) then
    back := 0;
    select count(*) into lost from bus.outbox o where o.position <= c.position;
  end if;
  if a_sequence < coalesce(c.sequence, 1) then
    update bus.consumer w set sequence = a_sequence where w.name = a_consumer;
  end if;
  if lost > 0 then
    update bus.consumer w set position = back, checked = back, passed_over = w.passed_over + lost,
        generation = nextval('bus.generation')
      where w.name = a_consumer;
  end if;
  return lost;
end $$;
alter function bus.compare_stream(text, bigint, uuid, uuid) owner to {{job:bus}};
revoke execute on function bus.compare_stream(text, bigint, uuid, uuid) from public;
grant execute on function bus.compare_stream(text, bigint, uuid, uuid) to {{app}};
