-- Until the transaction ends, this consumer is the caller's; null where it is another's.
create or replace function bus.claim(a_consumer text, out start_at bigint, out generation int, out horizon bigint, out first_at bigint)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock(1112888112, hashtext(a_consumer)) then return; end if;
  select c.position, c.generation into start_at, generation from bus.consumer c where c.name = a_consumer;
  horizon := bus.horizon();
  first_at := (select o.position from bus.outbox o where o.position > start_at order by o.position limit 1);
end $$;
alter function bus.claim(text) owner to {{job:bus}};
revoke execute on function bus.claim(text) from public;
grant execute on function bus.claim(text) to {{app}};
