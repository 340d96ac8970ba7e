-- That what came to the address of a connection was refused, and why.
create or replace function callbacks.note_refusal(a_tenant uuid, a_connection uuid, a_reason text) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update callbacks.connection set refused_at = clock_timestamp(), refusal = a_reason
  where tenant_id = a_tenant and connection_id = a_connection and status <> 'removed'
$$;
alter function callbacks.note_refusal(uuid, uuid, text) owner to {{job:callbacks}};
revoke execute on function callbacks.note_refusal(uuid, uuid, text) from public;
grant execute on function callbacks.note_refusal(uuid, uuid, text) to {{app}};
