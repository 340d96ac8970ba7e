-- What each key of a site may ask in a minute, where that is not what all keys may.
alter table studio.site add column requests_per_minute int check (requests_per_minute between 1 and 1000000);
grant update (requests_per_minute) on studio.site to {{app}};
grant select (requests_per_minute) on studio.site to {{job:studio_directory}};
create index site_origins on studio.site using gin (origins);

grant create on schema studio to {{job:studio_directory}};
drop function studio.find_key(bytea);
create function studio.find_key(a_hash bytea)
returns table (tenant_id uuid, site_id uuid, key_id uuid, mode text, origins text[], lives double precision, requests_per_minute int)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select k.tenant_id, k.site_id, k.key_id, k.mode,
    case when k.origins is null then s.origins
      else array(select o from unnest(k.origins) o where o = any (s.origins)) end,
    extract(epoch from k.expires_at - clock_timestamp())::double precision * 1000, s.requests_per_minute
  from studio.sdk_key k join studio.site s on s.tenant_id = k.tenant_id and s.site_id = k.site_id
  where k.key_hash = a_hash and k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())
    and s.status = 'active'
$$;

-- Whether pages of an origin may ask anything: some site names it. A preflight carries no key, so it cannot be told whose; and a form that
-- is not served is told to the page by the answer, not by the browser's silence.
drop function studio.origins_of_form(uuid);
create function studio.names_origin(a_origin text) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
  select exists (select from studio.site s where s.origins @> array[a_origin])
$$;
do $$
declare signature text;
begin
  foreach signature in array array['find_key(bytea)', 'names_origin(text)'] loop
    execute 'alter function studio.' || signature || ' owner to {{job:studio_directory}}';
    execute 'revoke all on function studio.' || signature || ' from public';
    execute 'grant execute on function studio.' || signature || ' to {{app}}';
  end loop;
end $$;
revoke create on schema studio from {{job:studio_directory}};
