-- Releases all that a holder has reserved. Answers the items of which there is more now, by mode.
create or replace function stock.release(p_holder uuid, p_actor text)
returns table (o_mode text, o_item uuid)
language plpgsql volatile security invoker set search_path = stock, pg_temp
-- A plan made while the table was empty must stay right.
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  v_item uuid;
  r record;
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('stock.holder ' || v_tenant || ' ' || p_holder, 0));
  -- Whoever changes what variants take notes for each holder what it took: nothing for one that has nothing any more.
  perform pg_advisory_xact_lock_shared(hashtextextended('stock.requirements ' || v_tenant, 0));
  for v_item in select item_id from reservation where tenant_id = v_tenant and holder_id = p_holder group by item_id order by item_id loop
    perform from item where tenant_id = v_tenant and item_id = v_item for no key update;
  end loop;
  delete from held_requirement where tenant_id = v_tenant and holder_id = p_holder;
  for r in
    delete from reservation where tenant_id = v_tenant and holder_id = p_holder returning mode, item_id, location_id, quantity
  loop
    update level set reserved = reserved - r.quantity
    where tenant_id = v_tenant and mode = r.mode and item_id = r.item_id and location_id = r.location_id;
    insert into movement (tenant_id, mode, movement_id, kind, item_id, location_id, reserved, source_kind, source_id, actor)
    values (v_tenant, r.mode, stock.new_id(), 'release', r.item_id, r.location_id, -r.quantity, 'holder', p_holder, p_actor);
    o_mode := r.mode;
    o_item := r.item_id;
    return next;
  end loop;
end
$$;
revoke execute on function stock.release(uuid, text) from public;
grant execute on function stock.release(uuid, text) to {{app}};
