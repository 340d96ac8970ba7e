-- The door of a brand, where it is open.
create or replace function agentic.find_door(a_brand uuid, a_protocol text)
returns table (tenant_id uuid, mode text, refuse_unsigned boolean, trusted_only boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select d.tenant_id, d.mode, d.refuse_unsigned, d.trusted_only from agentic.door d
  where d.brand_id = a_brand and d.protocol = a_protocol and d.active
$$;
alter function agentic.find_door(uuid, text) owner to {{job:agentic}};
revoke execute on function agentic.find_door(uuid, text) from public;
grant execute on function agentic.find_door(uuid, text) to {{app}};
