-- How much each address was sent, by all tenants together whose member it is not: somebody whom nobody asked is written to by no number
-- of tenants. `asked_day`: letters that asked whether any are wanted.
create or replace function studio.letters_to(a_recipients bytea[]) returns table (recipient bytea, this_hour int, this_day int, asked_day int)
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  select n.recipient,
    coalesce(sum(n.letters + n.summary::int) filter (where n.hour = date_trunc('hour', now(), 'UTC')), 0)::int,
    sum(n.letters + n.summary::int)::int,
    sum(n.asked)::int
  from studio.notified_hour n
  where n.recipient = any (a_recipients) and n.stranger and n.hour > now() - interval '1 day'
  group by n.recipient
$$;
alter function studio.letters_to(bytea[]) owner to {{job:studio_directory}};
revoke execute on function studio.letters_to(bytea[]) from public;
grant execute on function studio.letters_to(bytea[]) to {{app}};
