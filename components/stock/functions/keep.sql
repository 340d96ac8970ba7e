-- Hands what one holder has reserved to another, from now on without an end. Answers how many reservations that were: what has
-- expired is still theirs unless somebody has asked for these items since. No level changes.
create or replace function stock.keep(p_holder uuid, p_as uuid)
returns int
language plpgsql volatile security invoker set search_path = stock, pg_temp
-- A plan made while the table was empty must stay right.
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  v_item uuid;
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_kept int;
begin
  perform pg_advisory_xact_lock(hashtextextended('stock.holder ' || v_tenant || ' ' || h, 0))
    from (select h from unnest(array[p_holder, p_as]) h group by h order by h) h;
  -- Whoever changes what variants take notes for each holder what it took: of this one before or after, never while it is handed over.
  perform pg_advisory_xact_lock_shared(hashtextextended('stock.requirements ' || v_tenant, 0));
  for v_item in select item_id from reservation where tenant_id = v_tenant and holder_id = p_holder group by item_id order by item_id loop
    perform from item where tenant_id = v_tenant and item_id = v_item for no key update;
  end loop;
  if p_holder = p_as then
    update reservation set expires_at = null where tenant_id = v_tenant and holder_id = p_holder;
    get diagnostics v_kept = row_count;
    return v_kept;
  end if;
  with given as (
    delete from held_requirement where tenant_id = v_tenant and holder_id = p_holder
    returning mode, variant_id, item_id, quantity
  )
  insert into held_requirement (tenant_id, holder_id, mode, variant_id, item_id, quantity)
  select v_tenant, p_as, mode, variant_id, item_id, quantity from given on conflict do nothing;
  with given as (
    delete from reservation where tenant_id = v_tenant and holder_id = p_holder
    returning mode, item_id, location_id, quantity
  )
  insert into reservation as r (tenant_id, holder_id, mode, item_id, location_id, quantity)
  select v_tenant, p_as, mode, item_id, location_id, quantity from given
  on conflict (tenant_id, holder_id, mode, item_id, location_id)
    do update set quantity = r.quantity + excluded.quantity, expires_at = null;
  get diagnostics v_kept = row_count;
  return v_kept;
end
$$;
revoke execute on function stock.keep(uuid, uuid) from public;
grant execute on function stock.keep(uuid, uuid) to {{app}};
