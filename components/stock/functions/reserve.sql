-- Reserves what these quantities of variants take, in place of all that the holder has reserved: all of it or nothing. No row: it is
-- done. Else nothing has changed, and each row says what one piece of a variant takes of an item, and how much of that there is.
--
-- Quantities are summed by item first, since lines may share one. The items are locked before anything is looked at, so what is decided
-- here is what is written. An item is taken from the preferred location as far as it has some, then from the first that has enough of it alone,
-- else from several in their order; what an item may lack is taken from the first.
--
-- A location that is archived at this moment takes its empty levels away: then the transaction is to be repeated.
create or replace function stock.reserve(
  p_holder uuid, p_mode text, p_variants uuid[], p_quantities bigint[], p_expires timestamptz, p_actor text, p_prefer uuid)
returns table (o_variant uuid, o_item uuid, o_each bigint, o_free bigint)
language plpgsql volatile security invoker set search_path = stock, pg_temp
-- A plan made while the tables were empty must stay right.
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  -- Beyond this an item that may be lacking is lacking, so that no level says more than it can.
  v_most bigint := 100000000000;
  -- What is needed, by item, and how much of it there is.
  v_items uuid[];
  v_needs bigint[];
  v_frees bigint[] := '{}';
  v_held uuid[];
  v_left bigint;
  v_free bigint;
  v_first uuid;
  v_short boolean := false;
  -- What is wanted at each place, and by how much that is more than what is held there.
  v_at_items uuid[] := '{}';
  v_at_locations uuid[] := '{}';
  v_at bigint[] := '{}';
  v_changes bigint[] := '{}';
  n int;
  r record;
begin
  if v_tenant is null then
    raise exception 'stock is reserved in a transaction of its tenant' using errcode = '42501';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('stock.holder ' || v_tenant || ' ' || p_holder, 0));
  -- Whoever changes what variants take waits until this is reserved, and notes then what it took.
  perform pg_advisory_xact_lock_shared(hashtextextended('stock.requirements ' || v_tenant, 0));
  delete from held_requirement where tenant_id = v_tenant and holder_id = p_holder and mode = p_mode;

  select array_agg(s.item_id), array_agg(s.quantity) into v_items, v_needs
  from (
    select t.item_id, sum(q.quantity * t.quantity)::bigint as quantity
    from unnest(p_variants, p_quantities) q (variant_id, quantity)
    cross join lateral (
      select item_id, quantity from requirement where tenant_id = v_tenant and variant_id = q.variant_id offset 0
    ) t
    group by t.item_id
  ) s;
  v_held := array(select item_id from reservation where tenant_id = v_tenant and holder_id = p_holder and mode = p_mode);
  if v_items is null and cardinality(v_held) = 0 then
    return;
  end if;
  perform stock.hold_items(p_mode, v_items || v_held, p_actor);

  for n in 1 .. coalesce(cardinality(v_items), 0) loop
    v_left := v_needs[n];
    v_free := 0;
    v_first := null;
    for r in
      select l.location_id, l.free, l.held, l.lacking
      from (
        select o.location_id, p.priority, greatest(o.on_hand - o.reserved + coalesce(h.quantity, 0), 0) as free,
          coalesce(h.quantity, 0) as held, o.overdraw and o.reserved <= 8 * v_most as lacking
        from level o
        cross join lateral (
          select priority from location where tenant_id = v_tenant and location_id = o.location_id and archived_at is null offset 0
        ) p
        left join lateral (
          select quantity from reservation
          where tenant_id = v_tenant and holder_id = p_holder and mode = p_mode and item_id = v_items[n] and location_id = o.location_id offset 0
        ) h on true
        where o.tenant_id = v_tenant and o.mode = p_mode and o.item_id = v_items[n]
      ) l
      order by coalesce(l.location_id = p_prefer, false) desc, (l.free >= v_needs[n]) desc, l.priority, l.location_id
    loop
      v_free := v_free + r.free;
      if r.lacking and v_first is null then
        v_first := r.location_id;
      end if;
      if least(r.free, v_left) > 0 or r.held > 0 or r.location_id = v_first then
        v_at_items := v_at_items || v_items[n];
        v_at_locations := v_at_locations || r.location_id;
        v_at := v_at || least(r.free, v_left);
        v_changes := v_changes || least(r.free, v_left) - r.held;
        v_left := v_left - least(r.free, v_left);
      end if;
    end loop;
    if v_left > 0 and v_first is not null and v_needs[n] <= v_most then
      for i in 1 .. cardinality(v_at) loop
        if v_at_items[i] = v_items[n] and v_at_locations[i] = v_first then
          v_at[i] := v_at[i] + v_left;
          v_changes[i] := v_changes[i] + v_left;
        end if;
      end loop;
      v_left := 0;
    end if;
    v_frees := v_frees || case when v_first is null then v_free else v_most end;
    v_short := v_short or v_left > 0;
  end loop;

  if v_short then
    return query
      select q.variant_id, t.item_id, t.quantity::bigint, f.free
      from (select variant_id from unnest(p_variants) v (variant_id) group by 1) q
      cross join lateral (
        select item_id, quantity from requirement where tenant_id = v_tenant and variant_id = q.variant_id offset 0
      ) t
      join unnest(v_items, v_frees) f (item_id, free) on f.item_id = t.item_id;
    return;
  end if;

  -- What is held and not needed any more.
  for r in
    select item_id, location_id, quantity from reservation
    where tenant_id = v_tenant and holder_id = p_holder and mode = p_mode
      and not exists (select from unnest(v_at_items, v_at_locations) w (i, l) where w.i = item_id and w.l = location_id)
  loop
    v_at_items := v_at_items || r.item_id;
    v_at_locations := v_at_locations || r.location_id;
    v_at := v_at || 0::bigint;
    v_changes := v_changes || -r.quantity;
  end loop;

  for n in 1 .. cardinality(v_at) loop
    if v_changes[n] <> 0 then
      update level set reserved = reserved + v_changes[n]
      where tenant_id = v_tenant and mode = p_mode and item_id = v_at_items[n] and location_id = v_at_locations[n];
      if not found then
        raise exception 'a location is archived at this moment' using errcode = '40001';
      end if;
    end if;
    if v_at[n] = 0 and v_changes[n] <> 0 then
      delete from reservation
      where tenant_id = v_tenant and holder_id = p_holder and mode = p_mode and item_id = v_at_items[n] and location_id = v_at_locations[n];
    end if;
  end loop;
  insert into movement (tenant_id, mode, movement_id, kind, item_id, location_id, reserved, source_kind, source_id, actor)
  select v_tenant, p_mode, stock.new_id(), case when c.change > 0 then 'reserve' else 'release' end, c.item_id, c.location_id, c.change,
    'holder', p_holder, p_actor
  from unnest(v_at_items, v_at_locations, v_changes) c (item_id, location_id, change) where c.change <> 0;
  insert into reservation (tenant_id, holder_id, mode, item_id, location_id, quantity, expires_at)
  select v_tenant, p_holder, p_mode, c.item_id, c.location_id, c.quantity, p_expires
  from unnest(v_at_items, v_at_locations, v_at) c (item_id, location_id, quantity) where c.quantity > 0
  on conflict (tenant_id, holder_id, mode, item_id, location_id)
    do update set quantity = excluded.quantity, expires_at = excluded.expires_at;
end
$$;
revoke execute on function stock.reserve(uuid, text, uuid[], bigint[], timestamptz, text, uuid) from public;
grant execute on function stock.reserve(uuid, text, uuid[], bigint[], timestamptz, text, uuid) to {{app}};
