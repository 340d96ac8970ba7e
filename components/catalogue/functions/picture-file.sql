-- What is served under a digest: the smallest size that is at least so wide, else the largest.
create or replace function catalogue.picture_file(a_digest text, a_width int) returns table (media_type text, content bytea)
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  select s.media_type, s.content from catalogue.picture p
  join catalogue.picture_size s on s.tenant_id = p.tenant_id and s.digest = p.digest
  where p.digest = a_digest and s.fits >= least(a_width, 2048) order by s.fits limit 1
$$;
alter function catalogue.picture_file(text, int) owner to {{job:catalogue_media}};
revoke execute on function catalogue.picture_file(text, int) from public;
grant execute on function catalogue.picture_file(text, int) to {{app}};
