-- Locks items until the transaction ends, in the order of ids, so that no two callers wait for each other. Then makes the levels of tests
-- that are not there yet, with what is on hand at this moment, and releases what has expired. Every level and reservation of these items
-- stays as it is now until the caller changes it.
--
-- Each row is found by its whole key, one after the other: a plan for all of them at once that was made while the tables were small would read
-- all that a tenant has.
create or replace function stock.hold_items(p_mode text, p_items uuid[], p_actor text)
returns void
language plpgsql volatile security invoker set search_path = stock, pg_temp
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_items uuid[] := array(select i from unnest(p_items) i group by i order by i);
  v_item uuid;
  v_now timestamptz;
  r record;
begin
  foreach v_item in array v_items loop
    perform from item where tenant_id = v_tenant and item_id = v_item for no key update;
  end loop;
  v_now := clock_timestamp();
  foreach v_item in array v_items loop
    if p_mode = 'test' then
      for r in
        insert into level (tenant_id, mode, item_id, location_id, on_hand, overdraw)
        select tenant_id, 'test', item_id, location_id, on_hand, overdraw from level
        where tenant_id = v_tenant and mode = 'live' and item_id = v_item
        on conflict do nothing
        returning location_id, on_hand
      loop
        insert into movement (tenant_id, mode, movement_id, kind, item_id, location_id, on_hand, source_kind, source_id, actor)
        values (v_tenant, 'test', stock.new_id(), 'open', v_item, r.location_id, r.on_hand, 'test', v_tenant, p_actor);
      end loop;
    end if;
    for r in
      delete from reservation
      where tenant_id = v_tenant and mode = p_mode and item_id = v_item and expires_at <= v_now
      returning holder_id, location_id, quantity
    loop
      update level set reserved = reserved - r.quantity
      where tenant_id = v_tenant and mode = p_mode and item_id = v_item and location_id = r.location_id;
      insert into movement (tenant_id, mode, movement_id, kind, item_id, location_id, reserved, source_kind, source_id, actor)
      values (v_tenant, p_mode, stock.new_id(), 'expire', v_item, r.location_id, -r.quantity, 'holder', r.holder_id, p_actor);
    end loop;
  end loop;
end
$$;
revoke execute on function stock.hold_items(text, uuid[], text) from public;
grant execute on function stock.hold_items(text, uuid[], text) to {{app}};
