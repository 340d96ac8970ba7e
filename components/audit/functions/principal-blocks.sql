-- Notes up to p_blocks more blocks of a tenant; answers how many full ones wait after that. In a tenant's transaction of
-- that tenant only.
create or replace function audit.note_principals(p_tenant uuid, p_blocks int) returns bigint
language plpgsql security definer set search_path = audit, pg_temp set enable_hashjoin = off set enable_mergejoin = off
set enable_seqscan = off as $$
declare
  v_next bigint;
  v_full bigint;
  v_last bigint;
begin
  if p_tenant <> nullif(current_setting('app.tenant_id', true), '')::uuid then
    raise exception 'principals are noted in no other tenant''s transaction' using errcode = '42501';
  end if;
  -- Blocks below this are full: rows of a tenant are committed in the order of their sequence.
  select (h.sequence + 1) / 1024 into v_full from audit.head h where h.tenant_id = p_tenant;
  select b.block + 1 into v_next from audit.principal_block b where b.tenant_id = p_tenant order by b.block desc limit 1;
  if v_next is null then
    select e.sequence / 1024 into v_next from audit.event e where e.tenant_id = p_tenant order by e.sequence limit 1;
  end if;
  if v_next is null or v_full is null or v_next >= v_full then
    return 0;
  end if;
  v_last := least(v_full, v_next + p_blocks) - 1;
  insert into audit.principal_block (tenant_id, block, principals)
  select p_tenant, n.block, array(
    select distinct p.principal
    from audit.event e cross join lateral unnest(e.principals) as p (principal)
    where e.tenant_id = p_tenant and e.sequence >= n.block * 1024 and e.sequence < (n.block + 1) * 1024
  )
  from generate_series(v_next, v_last) as n (block)
  on conflict do nothing;
  return v_full - 1 - v_last;
end
$$;
alter function audit.note_principals(uuid, int) owner to {{job:audit_appender}};
revoke execute on function audit.note_principals(uuid, int) from public;
grant execute on function audit.note_principals(uuid, int) to {{app}};

-- The newest noted blocks from p_from to p_to with a principal in them, p_take at most. Runs as the caller; the plan is
-- settled, because one made for an empty table would read and sort every block for ever.
create or replace function audit.blocks_with(p_tenant uuid, p_principal text, p_from bigint, p_to bigint, p_take int)
returns setof bigint language plpgsql stable rows 20 set search_path = audit, pg_temp set enable_seqscan = off
set enable_bitmapscan = off set enable_sort = off as $$
begin
  return query select b.block from audit.principal_block b
  where b.tenant_id = p_tenant and b.block >= p_from and b.block <= p_to and b.principals @> array[p_principal]
  order by b.block desc limit p_take;
end
$$;
revoke execute on function audit.blocks_with(uuid, text, bigint, bigint, int) from public;
grant execute on function audit.blocks_with(uuid, text, bigint, bigint, int) to {{app}};
