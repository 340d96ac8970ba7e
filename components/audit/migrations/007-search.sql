-- The first sequence that was received at p_at or later; one after the head where there is none. received_at never goes
-- backwards, so a binary search over the key finds it. Runs as the caller: row-level security holds. Null for null.
create function audit.first_received(p_tenant uuid, p_at timestamptz) returns bigint
language plpgsql stable strict set search_path = audit, pg_temp as $$
declare
  v_low bigint;
  v_high bigint;
  v_middle bigint;
  v_received timestamptz;
begin
  select h.sequence + 1 into v_high from audit.head h where h.tenant_id = p_tenant;
  select e.sequence into v_low from audit.event e where e.tenant_id = p_tenant order by e.sequence limit 1;
  if v_low is null then
    return coalesce(v_high, 1);
  end if;
  while v_low < v_high loop
    v_middle := v_low + (v_high - v_low) / 2;
    select e.received_at into v_received from audit.event e
    where e.tenant_id = p_tenant and e.sequence >= v_middle order by e.sequence limit 1;
    if v_received < p_at then
      v_low := v_middle + 1;
    else
      v_high := v_middle;
    end if;
  end loop;
  return v_low;
end
$$;

-- The types that a tenant's events have, of those from p_from on and before p_before, by skipping from one to the next
-- in the index. Runs as the caller.
create function audit.types_between(p_tenant uuid, p_from text, p_before text) returns setof text
language plpgsql stable rows 20 set search_path = audit, pg_temp as $$
declare
  v_type text collate "C";
begin
  select e.type into v_type from audit.event e
  where e.tenant_id = p_tenant and e.type >= p_from and e.type < p_before order by e.type limit 1;
  while v_type is not null loop
    return next v_type;
    select e.type into v_type from audit.event e
    where e.tenant_id = p_tenant and e.type > v_type and e.type < p_before order by e.type limit 1;
  end loop;
end
$$;

-- Who stands in the chains of each full block of 1024 sequences (block = sequence / 1024), so that a search for somebody
-- who is seldom there looks into the blocks that hold them and no others. Appending does not pay for it: blocks are
-- noted by searches and sealing. An index over the principals cost each append 6 to 25 %.
create table audit.principal_block (
  tenant_id uuid not null,
  block bigint not null,
  principals text[] not null,
  primary key (tenant_id, block)
);
alter table audit.principal_block enable row level security;
alter table audit.principal_block force row level security;
create policy tenant on audit.principal_block for select to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy appender on audit.principal_block to {{job:audit_appender}} using (true) with check (true);
create policy verifier on audit.principal_block for select to {{job:audit_verifier}} using (true);
grant select on audit.principal_block to {{app}}, {{job:audit_verifier}};
grant select, insert on audit.principal_block to {{job:audit_appender}};

create trigger append_only before update or delete or truncate on audit.principal_block
  for each statement execute function audit.refuse_change();
alter table audit.principal_block enable always trigger append_only;

-- Notes up to p_blocks more blocks of a tenant; answers how many full ones wait after that. In a tenant's transaction of
-- that tenant only.
create function audit.note_principals(p_tenant uuid, p_blocks int) returns bigint
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

-- The newest noted blocks from p_from to p_to with a principal in them, p_take at most. Runs as the caller; the plan is
-- settled, because one made for an empty table would read and sort every block for ever.
create function audit.blocks_with(p_tenant uuid, p_principal text, p_from bigint, p_to bigint, p_take int)
returns setof bigint language plpgsql stable rows 20 set search_path = audit, pg_temp set enable_seqscan = off
set enable_bitmapscan = off set enable_sort = off as $$
begin
  return query select b.block from audit.principal_block b
  where b.tenant_id = p_tenant and b.block >= p_from and b.block <= p_to and b.principals @> array[p_principal]
  order by b.block desc limit p_take;
end
$$;

grant create on schema audit to {{job:audit_appender}};
alter function audit.note_principals(uuid, int) owner to {{job:audit_appender}};
revoke create on schema audit from {{job:audit_appender}};
revoke all on function audit.first_received(uuid, timestamptz), audit.types_between(uuid, text, text),
  audit.note_principals(uuid, int), audit.blocks_with(uuid, text, bigint, bigint, int) from public;
grant execute on function audit.first_received(uuid, timestamptz), audit.types_between(uuid, text, text),
  audit.note_principals(uuid, int), audit.blocks_with(uuid, text, bigint, bigint, int) to {{app}};
