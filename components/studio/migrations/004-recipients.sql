-- What an address was sent of each hour's submissions: letters of their own, and one that counts the rest. `stranger`: it was neither a
-- member's nor confirmed by whoever reads it.
alter table studio.notified_hour
  add column letters int not null default 0,
  add column summary boolean not null default false,
  add column stranger boolean not null default true;
update studio.notified_hour set letters = least(submissions, 20), summary = submissions > 20, stranger = false;
grant update (letters, summary, stranger) on studio.notified_hour to {{app}};
create index notified_hour_by_recipient on studio.notified_hour (recipient, hour);
create index notified_hour_by_hour on studio.notified_hour (tenant_id, hour);

-- How much each address was sent, by all tenants together whose member it is not: somebody whom nobody asked is written to by no number of tenants.
grant create on schema studio to {{job:studio_directory}};
create policy recipients on studio.notified_hour for select to {{job:studio_directory}} using (true);
grant select (recipient, hour, letters, summary, stranger) on studio.notified_hour to {{job:studio_directory}};
create function studio.letters_to(a_recipients bytea[]) returns table (recipient bytea, this_hour int, this_day int)
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  select n.recipient,
    coalesce(sum(n.letters + n.summary::int) filter (where n.hour = date_trunc('hour', now(), 'UTC')), 0)::int,
    sum(n.letters + n.summary::int)::int
  from studio.notified_hour n
  where n.recipient = any (a_recipients) and n.stranger and n.hour > now() - interval '1 day'
  group by n.recipient
$$;
alter function studio.letters_to(bytea[]) owner to {{job:studio_directory}};
revoke create on schema studio from {{job:studio_directory}};
revoke all on function studio.letters_to(bytea[]) from public;
grant execute on function studio.letters_to(bytea[]) to {{app}};
