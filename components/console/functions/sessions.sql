-- A person has at most a hundred: the oldest go.
create or replace function console.start_session(an_id uuid, a_hash bytea, an_issuer text, a_subject text, a_client text, tokens text, lasts interval)
returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from console.session s using (
    select o.session_id from console.session o where o.issuer = an_issuer and o.subject = a_subject
    order by o.started_at desc offset 99) old
  where s.session_id = old.session_id;
  insert into console.session (session_id, key_hash, issuer, subject, client, sealed, ends_at)
  values (an_id, a_hash, an_issuer, a_subject, a_client, tokens, clock_timestamp() + lasts);
end
$$;
alter function console.start_session(uuid, bytea, text, text, text, text, interval) owner to {{job:console}};
revoke execute on function console.start_session(uuid, bytea, text, text, text, text, interval) from public;
grant execute on function console.start_session(uuid, bytea, text, text, text, text, interval) to {{app}};

-- The session that is meant, where it has neither ended nor been left alone for too long; and notes, once a minute, that a person uses it.
create or replace function console.find_session(a_hash bytea, idle interval)
returns table (session_id uuid, issuer text, subject text, sealed text, version int, ends_at timestamptz)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update console.session s set seen_at = clock_timestamp()
    where s.key_hash = a_hash and s.seen_at < clock_timestamp() - interval '1 minute' and s.seen_at > clock_timestamp() - idle
      and s.ends_at > clock_timestamp();
  return query select s.session_id, s.issuer, s.subject, s.sealed, s.version, s.ends_at from console.session s
    where s.key_hash = a_hash and s.ends_at > clock_timestamp() and s.seen_at > clock_timestamp() - idle;
end
$$;
alter function console.find_session(bytea, interval) owner to {{job:console}};
revoke execute on function console.find_session(bytea, interval) from public;
grant execute on function console.find_session(bytea, interval) to {{app}};

-- The same, where nobody uses it: a page that is open asks by itself.
create or replace function console.look_at_session(a_hash bytea, idle interval)
returns table (session_id uuid, issuer text, subject text, sealed text, version int, ends_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.session_id, s.issuer, s.subject, s.sealed, s.version, s.ends_at from console.session s
  where s.key_hash = a_hash and s.ends_at > clock_timestamp() and s.seen_at > clock_timestamp() - idle
$$;
alter function console.look_at_session(bytea, interval) owner to {{job:console}};
revoke execute on function console.look_at_session(bytea, interval) from public;
grant execute on function console.look_at_session(bytea, interval) to {{app}};

create or replace function console.session_lives(an_id uuid, an_issuer text, a_subject text, idle interval) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from console.session s
    where s.session_id = an_id and s.issuer = an_issuer and s.subject = a_subject and s.ends_at > clock_timestamp() and s.seen_at > clock_timestamp() - idle)
$$;
alter function console.session_lives(uuid, text, text, interval) owner to {{job:console}};
revoke execute on function console.session_lives(uuid, text, text, interval) from public;
grant execute on function console.session_lives(uuid, text, text, interval) to {{app}};

create or replace function console.session_of(an_id uuid, an_issuer text, a_subject text)
returns table (session_id uuid, issuer text, subject text, sealed text, version int, ends_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.session_id, s.issuer, s.subject, s.sealed, s.version, s.ends_at from console.session s
  where s.session_id = an_id and s.issuer = an_issuer and s.subject = a_subject and s.ends_at > clock_timestamp()
$$;
alter function console.session_of(uuid, text, text) owner to {{job:console}};
revoke execute on function console.session_of(uuid, text, text) from public;
grant execute on function console.session_of(uuid, text, text) to {{app}};

-- Whether the asker alone may renew the tokens now.
create or replace function console.lease_session(an_id uuid, a_version int, lasts interval) returns boolean
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  with leased as (
    update console.session s set leased_until = clock_timestamp() + lasts
    where s.session_id = an_id and s.version = a_version and (s.leased_until is null or s.leased_until < clock_timestamp())
    returning 1)
  select exists (select from leased)
$$;
alter function console.lease_session(uuid, int, interval) owner to {{job:console}};
revoke execute on function console.lease_session(uuid, int, interval) from public;
grant execute on function console.lease_session(uuid, int, interval) to {{app}};

-- Keeps renewed tokens, and ends the lease; false where others came first, or the session has ended.
create or replace function console.keep_session(an_id uuid, a_version int, tokens text) returns boolean
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  with kept as (
    update console.session s set sealed = tokens, version = s.version + 1, leased_until = null
    where s.session_id = an_id and s.version = a_version
    returning 1)
  select exists (select from kept)
$$;
alter function console.keep_session(uuid, int, text) owner to {{job:console}};
revoke execute on function console.keep_session(uuid, int, text) from public;
grant execute on function console.keep_session(uuid, int, text) to {{app}};

-- Answers what was sealed in it, so that its tokens can be revoked.
create or replace function console.end_session(an_id uuid, an_issuer text, a_subject text) returns setof text
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  delete from console.session s where s.session_id = an_id and s.issuer = an_issuer and s.subject = a_subject returning s.sealed
$$;
alter function console.end_session(uuid, text, text) owner to {{job:console}};
revoke execute on function console.end_session(uuid, text, text) from public;
grant execute on function console.end_session(uuid, text, text) to {{app}};

create or replace function console.sessions_of(an_issuer text, a_subject text, idle interval)
returns table (session_id uuid, client text, started_at timestamptz, seen_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.session_id, s.client, s.started_at, s.seen_at from console.session s
  where s.issuer = an_issuer and s.subject = a_subject and s.ends_at > clock_timestamp() and s.seen_at > clock_timestamp() - idle
  order by s.started_at desc limit 100
$$;
alter function console.sessions_of(text, text, interval) owner to {{job:console}};
revoke execute on function console.sessions_of(text, text, interval) from public;
grant execute on function console.sessions_of(text, text, interval) to {{app}};

-- Removes what has ended.
create or replace function console.tidy_sessions(most int) returns int
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  removed int;
begin
  with ended as (
    select s.session_id from console.session s where s.ends_at < clock_timestamp() order by s.ends_at limit most for update skip locked)
  delete from console.session s using ended where s.session_id = ended.session_id;
  get diagnostics removed = row_count;
  return removed;
end
$$;
alter function console.tidy_sessions(int) owner to {{job:console}};
revoke execute on function console.tidy_sessions(int) from public;
grant execute on function console.tidy_sessions(int) to {{app}};
