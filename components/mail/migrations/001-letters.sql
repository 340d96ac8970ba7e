create schema mail;
grant usage on schema mail to {{app}};
-- CREATE is needed only while the functions below change hands.
grant usage, create on schema mail to {{job:mail}};

-- What is to be sent after the commit. Whom it goes to and what it says is personal data: erased once it is sent, and some
-- days after it was given up. What stays for a while is what an operator needs.
create table mail.letter (
  tenant_id uuid not null,
  letter_id uuid not null,
  -- SHA-256 of the key, which may hold an address.
  key bytea not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'dead')),
  recipient text,
  subject text,
  text text,
  html text,
  -- Each lease counts as one; what a lease found is noted under its number only.
  attempts int not null default 0,
  queued_at timestamptz not null,
  next_at timestamptz not null,
  settled_at timestamptz,
  reason text check (reason ~ '^[a-z0-9_]{1,40}$'),
  primary key (tenant_id, letter_id),
  unique (tenant_id, key),
  check (case state
    when 'queued' then recipient is not null and subject is not null and text is not null and settled_at is null
    when 'sent' then recipient is null and subject is null and text is null and html is null and settled_at is not null
    else settled_at is not null and reason is not null end)
);
create index letter_due on mail.letter (tenant_id, next_at) where state = 'queued';
create index letter_waiting on mail.letter (queued_at) where state = 'queued';
create index letter_dead on mail.letter (settled_at) where state = 'dead';
create index letter_settled on mail.letter (settled_at) where state <> 'queued';

alter table mail.letter enable row level security;
alter table mail.letter force row level security;
create policy tenant on mail.letter to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select, insert on mail.letter to {{app}};
-- A letter that waits for its hour takes newer words of the same key.
grant update (subject, text, html) on mail.letter to {{app}};

create policy job on mail.letter to {{job:mail}} using (true) with check (true);
grant select, update, delete on mail.letter to {{job:mail}};

-- Plans made while the table is empty are kept as it grows: hence the settings of this function and the next.

-- Leases letters that are due, one tenant after the other behind `after`, so that nobody waits behind another's thousands.
create function mail.claim(after uuid, most int, lease interval) returns setof mail.letter
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  turn uuid := after;
  letter mail.letter;
begin
  for taken in 1..most loop
    select * into letter from mail.letter w
      where w.state = 'queued' and w.next_at <= statement_timestamp() and w.tenant_id > turn
      order by w.tenant_id, w.next_at limit 1 for update skip locked;
    if not found then
      select * into letter from mail.letter w
        where w.state = 'queued' and w.next_at <= statement_timestamp() and w.tenant_id <= turn
        order by w.tenant_id, w.next_at limit 1 for update skip locked;
    end if;
    exit when not found;
    update mail.letter w set attempts = w.attempts + 1, next_at = clock_timestamp() + lease
      where w.tenant_id = letter.tenant_id and w.letter_id = letter.letter_id returning * into letter;
    turn := letter.tenant_id;
    return next letter;
  end loop;
end $$;

-- Notes what became of leased letters. That it was sent is true whoever holds the lease by now; anything else only counts
-- for whoever still holds it.
create function mail.settle(outcomes json) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  update mail.letter l set
    state = o.state,
    recipient = case when o.state <> 'sent' then l.recipient end,
    subject = case when o.state <> 'sent' then l.subject end,
    text = case when o.state <> 'sent' then l.text end,
    html = case when o.state <> 'sent' then l.html end,
    next_at = clock_timestamp() + make_interval(secs => coalesce(o.wait, 0)),
    settled_at = case when o.state <> 'queued' then clock_timestamp() end,
    reason = o.reason
  from json_to_recordset(outcomes) as o (tenant_id uuid, letter_id uuid, attempts int, state text, reason text, wait float8)
  where l.tenant_id = o.tenant_id and l.letter_id = o.letter_id and l.state <> 'sent'
    and (o.state = 'sent' or l.state = 'queued' and l.attempts = o.attempts)
$$;

-- Gives up what waited too long, erases what letters that were given up say, forgets settled ones; so many rows at a time.
create function mail.tidy(give_up interval, erase interval, forget interval, most int) returns int
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  with past as (
    update mail.letter l set state = 'dead', settled_at = clock_timestamp(), reason = coalesce(l.reason, 'never_tried')
    from (select w.tenant_id, w.letter_id from mail.letter w
      where w.state = 'queued' and w.queued_at < statement_timestamp() - give_up and w.next_at <= statement_timestamp()
      order by w.queued_at limit most for update skip locked) due
    where l.tenant_id = due.tenant_id and l.letter_id = due.letter_id returning 1),
  erased as (
    update mail.letter l set recipient = null, subject = null, text = null, html = null
    from (select w.tenant_id, w.letter_id from mail.letter w
      where w.state = 'dead' and w.recipient is not null
        and w.settled_at between statement_timestamp() - forget and statement_timestamp() - erase
      limit most for update skip locked) due
    where l.tenant_id = due.tenant_id and l.letter_id = due.letter_id returning 1),
  forgotten as (
    delete from mail.letter l using (select w.tenant_id, w.letter_id from mail.letter w
      where w.state <> 'queued' and w.settled_at < statement_timestamp() - forget
      order by w.settled_at limit most for update skip locked) due
    where l.tenant_id = due.tenant_id and l.letter_id = due.letter_id returning 1)
  select ((select count(*) from past) + (select count(*) from erased) + (select count(*) from forgotten))::int
$$;

-- For operators: numbers and times over all tenants. Sent ones: of the last day.
create function mail.summary() returns table (state text, reason text, letters int, first_at timestamptz, last_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select 'queued', null, count(*)::int, min(w.queued_at), max(w.queued_at) from mail.letter w where w.state = 'queued'
  union all
  select 'dead', w.reason, count(*)::int, min(w.settled_at), max(w.settled_at) from mail.letter w where w.state = 'dead' group by w.reason
  union all
  select 'sent', null, count(*)::int, min(w.settled_at), max(w.settled_at) from mail.letter w
  where w.state = 'sent' and w.settled_at > statement_timestamp() - interval '1 day'
$$;

-- The last letters that were given up; `kept`: whether there is still something to send.
create function mail.given_up(most int)
returns table (tenant_id uuid, letter_id uuid, reason text, attempts int, settled_at timestamptz, kept boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select w.tenant_id, w.letter_id, w.reason, w.attempts, w.settled_at, w.recipient is not null
  from mail.letter w where w.state = 'dead' order by w.settled_at desc limit most
$$;

-- Letters that were given up and still say something are due again, as if new. Null: of any tenant, for any reason.
create function mail.requeue(of_tenant uuid, for_reason text) returns int
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  with again as (
    update mail.letter w set state = 'queued', attempts = 0, queued_at = clock_timestamp(), next_at = clock_timestamp(),
      settled_at = null, reason = null
    where w.state = 'dead' and w.recipient is not null and w.subject is not null
      and (of_tenant is null or w.tenant_id = of_tenant) and (for_reason is null or w.reason = for_reason)
    returning 1)
  select count(*)::int from again
$$;

alter function mail.claim(uuid, int, interval) owner to {{job:mail}};
alter function mail.settle(json) owner to {{job:mail}};
alter function mail.tidy(interval, interval, interval, int) owner to {{job:mail}};
alter function mail.summary() owner to {{job:mail}};
alter function mail.given_up(int) owner to {{job:mail}};
alter function mail.requeue(uuid, text) owner to {{job:mail}};
revoke create on schema mail from {{job:mail}};
revoke execute on all functions in schema mail from public;
grant execute on all functions in schema mail to {{app}};
