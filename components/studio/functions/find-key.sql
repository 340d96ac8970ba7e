-- A key that may be used now; `lives` is how many milliseconds it has left, null for one without an end.
create or replace function studio.find_key(a_hash bytea)
returns table (tenant_id uuid, site_id uuid, key_id uuid, mode text, origins text[], lives double precision, requests_per_minute int, brand_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select k.tenant_id, k.site_id, k.key_id, k.mode,
    case when k.origins is null then s.origins
      else array(select o from unnest(k.origins) o where o = any (s.origins)) end,
    extract(epoch from k.expires_at - clock_timestamp())::double precision * 1000, s.requests_per_minute, s.brand_id
  from studio.sdk_key k join studio.site s on s.tenant_id = k.tenant_id and s.site_id = k.site_id
  where k.key_hash = a_hash and k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())
    and s.status = 'active'
$$;
alter function studio.find_key(bytea) owner to {{job:studio_directory}};
revoke execute on function studio.find_key(bytea) from public;
grant execute on function studio.find_key(bytea) to {{app}};
