-- What a broker has lost is found (docs/adr/0015).
grant create on schema bus to {{job:bus}};

-- The server of a claimed transport has this event last: what the cursor has gone over since is lost there, so the cursor goes
-- back. How many events that are; none of an event that the outbox does not hold, from which nothing follows.
create function bus.send_after(a_consumer text, a_tenant uuid, a_event uuid) returns int
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  last bigint;
  lost int;
begin
  select o.position into last from bus.outbox o where o.tenant_id = a_tenant and o.event_id = a_event;
  if last is null then return 0; end if;
  select count(*) into lost from bus.consumer c join bus.outbox o on o.position > last and o.position <= c.position
    where c.name = a_consumer;
  if lost > 0 then
    update bus.consumer c set position = last, checked = last, passed_over = c.passed_over + lost,
        generation = nextval('bus.generation')
      where c.name = a_consumer;
  end if;
  return lost;
end $$;
alter function bus.send_after(text, uuid, uuid) owner to {{job:bus}};
revoke execute on function bus.send_after(text, uuid, uuid) from public;
grant execute on function bus.send_after(text, uuid, uuid) to {{app}};
revoke create on schema bus from {{job:bus}};
