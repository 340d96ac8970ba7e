-- Takes the empty levels of a location away before it is archived. Answers whether none is left: one that holds stock, is reserved or
-- expected at, or is being changed at this moment stays. It waits for no level, so that nobody who holds one waits for this.
create or replace function stock.close_location(p_location uuid)
returns boolean
language plpgsql volatile security invoker set search_path = stock, pg_temp
as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
begin
  perform from location where tenant_id = v_tenant and location_id = p_location for update;
  if exists (
    select from level where tenant_id = v_tenant and mode = 'live' and location_id = p_location
      and (on_hand <> 0 or reserved <> 0 or incoming <> 0)
  ) then
    return false;
  end if;
  delete from level l using (
    select item_id from level
    where tenant_id = v_tenant and mode = 'live' and location_id = p_location and on_hand = 0 and reserved = 0 and incoming = 0
    for update skip locked
  ) e
  where l.tenant_id = v_tenant and l.mode = 'live' and l.location_id = p_location and l.item_id = e.item_id;
  return not exists (select from level where tenant_id = v_tenant and mode = 'live' and location_id = p_location);
end
$$;
revoke execute on function stock.close_location(uuid) from public;
grant execute on function stock.close_location(uuid) to {{app}};
