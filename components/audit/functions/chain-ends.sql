-- The ends of the chains, and when the row after p_sequences was received; null if there is none.
create or replace function audit.chain_ends(p_tenants uuid[], p_sequences bigint[])
returns table (tenant_id uuid, sequence bigint, row_hash bytea, received_at timestamptz, next_received_at timestamptz)
language sql stable security definer
set search_path = audit, pg_temp set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
  select h.tenant_id, h.sequence, h.row_hash, h.received_at,
    (select e.received_at from audit.event e where e.tenant_id = h.tenant_id and e.sequence = p.sequence + 1)
  from unnest(p_tenants, p_sequences) as p (tenant_id, sequence)
  join audit.head h on h.tenant_id = p.tenant_id
$$;
alter function audit.chain_ends(uuid[], bigint[]) owner to {{job:audit_sealer}};
revoke execute on function audit.chain_ends(uuid[], bigint[]) from public;
grant execute on function audit.chain_ends(uuid[], bigint[]) to {{app}};

-- Where chains end, of those that there are.
create or replace function audit.heads_of(p_tenants uuid[]) returns table (tenant_id uuid, sequence bigint, row_hash bytea)
language sql stable security definer set search_path = audit, pg_temp as $$
  select h.tenant_id, h.sequence, h.row_hash from audit.head h where h.tenant_id = any (p_tenants)
$$;
alter function audit.heads_of(uuid[]) owner to {{job:audit_sealer}};
revoke execute on function audit.heads_of(uuid[]) from public;
grant execute on function audit.heads_of(uuid[]) to {{app}};
