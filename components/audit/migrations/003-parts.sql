-- Opens the chain of the transaction's own tenant: row_hash(0) = genesis. Answers whether it was new.
create function audit.open_chain(p_tenant uuid) returns boolean
language plpgsql security definer set search_path = audit, pg_temp as $$
begin
  if p_tenant is distinct from nullif(current_setting('app.tenant_id', true), '')::uuid then
    raise exception 'a chain is opened in a transaction of its own tenant' using errcode = '42501';
  end if;
  -- Whoever seals a day waits for those that are being opened: their first row may be received in it.
  perform pg_advisory_xact_lock_shared(hashtext('audit.opening'));
  insert into audit.head (tenant_id, row_hash)
  values (p_tenant, sha256(convert_to(e'audit-genesis/v1\n' || p_tenant::text, 'UTF8')))
  on conflict do nothing;
  return found;
end
$$;

-- A batch by columns. One event a line; its fields stand between U+001F, empty is null: tenant, type and id of the subject
-- whose membership counts, standings that permit it (array literal), idempotency key, id, type, grammar, occurred_at,
-- causal_id, correlation_id, principals (array literal), event_hash (hex), event. One text and not an array a column,
-- because reading the arrays cost more than the inserts.
create function audit.read_batch(p_batch text) returns table (
  events int, keyed boolean, asked boolean, tenants uuid[], subject_types text[], subject_ids text[], standings text[],
  keys text[], ids uuid[], types text[], grammars text[], occurred_at timestamptz[], causal_ids text[],
  correlation_ids text[], principals text[], event_hashes bytea[], texts text[]
)
language sql stable as $$
  select count(*)::int, count(f[5]) > 0, count(f[3]) > 0, array_agg(f[1]::uuid), array_agg(f[2]), array_agg(f[3]),
    array_agg(f[4]), array_agg(f[5]), array_agg(f[6]::uuid), array_agg(f[7]), array_agg(f[8]),
    array_agg(f[9]::timestamptz), array_agg(f[10]), array_agg(f[11]), array_agg(f[12]), array_agg(decode(f[13], 'hex')),
    array_agg(f[14])
  -- OFFSET keeps the planner from splitting each line once a column.
  from (select string_to_array(line, e'\x1f', '') as f from string_to_table(p_batch, e'\n') as line offset 0) parsed
$$;

-- Locks the heads of these tenants in their order, so that no two batches lock crosswise, and answers them in it;
-- received_at is the least time that the next row may bear. p_skip: those locked by others are left out.
create function audit.lock_heads(p_tenants uuid[], p_skip boolean)
returns table (tenant_id uuid, sequence bigint, row_hash bytea, received_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
begin
  if p_skip then
    return query select h.tenant_id, h.sequence, h.row_hash,
      greatest(h.received_at, (h.sealed_through + 1)::timestamp at time zone 'UTC')
      from audit.head h where h.tenant_id = any (p_tenants) order by h.tenant_id for update skip locked;
  else
    return query select h.tenant_id, h.sequence, h.row_hash,
      greatest(h.received_at, (h.sealed_through + 1)::timestamp at time zone 'UTC')
      from audit.head h where h.tenant_id = any (p_tenants) order by h.tenant_id for update;
  end if;
end
$$;

-- A stored event as an append answers it: for repeated keys, and for batches whose answer was lost.
create function audit.stored(p_tenant uuid, p_sequence bigint)
returns table (row_hash bytea, prev_hash bytea, received_ms bigint, event text)
language sql stable set search_path = audit, pg_temp as $$
  select e.row_hash, coalesce(before.row_hash, sha256(convert_to(e'audit-genesis/v1\n' || p_tenant::text, 'UTF8'))),
    (extract(epoch from e.received_at) * 1000)::bigint, e.event
  from audit.event e
  left join audit.event before on before.tenant_id = e.tenant_id and before.sequence = e.sequence - 1
  where e.tenant_id = p_tenant and e.sequence = p_sequence
$$;

-- Functions that the application may call run as a role that owns nothing else and has policies on these tables only.
grant create on schema audit to {{job:audit_appender}};
alter function audit.open_chain(uuid) owner to {{job:audit_appender}};
revoke create on schema audit from {{job:audit_appender}};
revoke all on all functions in schema audit from public;
grant execute on function audit.open_chain(uuid) to {{app}};
grant execute on function audit.read_batch(text), audit.lock_heads(uuid[], boolean), audit.stored(uuid, bigint) to {{job:audit_appender}};
