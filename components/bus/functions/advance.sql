-- Moves the cursor of a claimed consumer; the named tenants stay behind at `a_after`. Raises if the cursor has moved meanwhile,
-- so that the commit that this travels with fails. Stores how far the round has looked back, and what a transport has sent.
-- If no tenant is left behind, the commit does not wait for the disk: if the server dies before it is on disk, the cursor is at
-- its old position, and the inboxes know what was delivered.
create or replace function bus.advance(a_consumer text, a_generation int, a_after bigint, a_through bigint,
  a_tenants uuid[], a_attempts int[], a_waits float8[], a_events uuid[], a_codes text[]) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if cardinality(a_tenants) = 0 then perform set_config('synchronous_commit', 'off', true); end if;
  update bus.consumer c set position = a_through, moved_at = clock_timestamp(), in_hand = true,
      checked = case when c.types is null then a_through
        else coalesce(nullif(current_setting('bus.checked', true), '')::bigint, c.checked) end
    where c.name = a_consumer and c.generation = a_generation and c.position = a_after;
  if not found then raise exception 'the cursor of % was moved by somebody else', a_consumer using errcode = 'BU002'; end if;
  insert into bus.behind (tenant_id, consumer, start_at, attempts, event_id, error_code, next_at)
    select t, a_consumer, a_after, n, e, code, clock_timestamp() + make_interval(secs => w)
    from unnest(a_tenants, a_attempts, a_waits, a_events, a_codes) as one (t, n, w, e, code)
    on conflict do nothing;
end $$;
alter function bus.advance(text, int, bigint, bigint, uuid[], int[], float8[], uuid[], text[]) owner to {{job:bus}};
revoke execute on function bus.advance(text, int, bigint, bigint, uuid[], int[], float8[], uuid[], text[]) from public;
grant execute on function bus.advance(text, int, bigint, bigint, uuid[], int[], float8[], uuid[], text[]) to {{app}};
