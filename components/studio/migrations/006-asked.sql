-- How many letters of an hour asked the recipient whether they want any: these have a quota of their own, so that nobody uses up by
-- other letters what others ask with.
alter table studio.notified_hour add column asked int not null default 0;
grant update (asked) on studio.notified_hour to {{app}};

grant create on schema studio to {{job:studio_directory}};
grant select (asked) on studio.notified_hour to {{job:studio_directory}};
drop function studio.letters_to(bytea[]);
create function studio.letters_to(a_recipients bytea[]) returns table (recipient bytea, this_hour int, this_day int, asked_day int)
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
revoke create on schema studio from {{job:studio_directory}};
revoke all on function studio.letters_to(bytea[]) from public;
grant execute on function studio.letters_to(bytea[]) to {{app}};
