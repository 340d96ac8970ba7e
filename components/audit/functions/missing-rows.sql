-- Those of the rows that this database does not have, or has with another hash (null: not there).
create or replace function audit.missing_rows(p_tenants uuid[], p_sequences bigint[], p_hashes bytea[])
returns table (tenant_id uuid, sequence bigint, row_hash bytea)
language sql stable security definer
set search_path = audit, pg_temp set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
  select p.tenant_id, p.sequence, e.row_hash
  from unnest(p_tenants, p_sequences, p_hashes) as p (tenant_id, sequence, row_hash)
  left join audit.event e on e.tenant_id = p.tenant_id and e.sequence = p.sequence
  where e.row_hash is distinct from p.row_hash
$$;
alter function audit.missing_rows(uuid[], bigint[], bytea[]) owner to {{job:audit_sealer}};
revoke execute on function audit.missing_rows(uuid[], bigint[], bytea[]) from public;
grant execute on function audit.missing_rows(uuid[], bigint[], bytea[]) to {{app}};
