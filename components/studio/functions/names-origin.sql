create or replace function studio.names_origin(a_origin text) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
  select exists (select from studio.site s where s.origins @> array[a_origin])
$$;
alter function studio.names_origin(text) owner to {{job:studio_directory}};
revoke execute on function studio.names_origin(text) from public;
grant execute on function studio.names_origin(text) to {{app}};
