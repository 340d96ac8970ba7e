-- Which brand has a host: the one that proved it last.
create or replace function agentic.holder_of_host(a_host text)
returns table (tenant_id uuid, brand_id uuid, host_id uuid, verified_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select h.tenant_id, h.brand_id, h.host_id, h.verified_at from agentic.host h
  where h.host = a_host and h.standing = 'verified' order by h.verified_at desc, h.host_id desc limit 1
$$;
alter function agentic.holder_of_host(text) owner to {{job:agentic}};
revoke execute on function agentic.holder_of_host(text) from public;
grant execute on function agentic.holder_of_host(text) to {{app}};
