-- For operators: numbers and times over all tenants. Sent ones: of the last day.
create or replace function mail.summary() returns table (state text, reason text, letters int, first_at timestamptz, last_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select 'queued', null, count(*)::int, min(w.queued_at), max(w.queued_at) from mail.letter w where w.state = 'queued'
  union all
  select 'dead', w.reason, count(*)::int, min(w.settled_at), max(w.settled_at) from mail.letter w where w.state = 'dead' group by w.reason
  union all
  select 'sent', null, count(*)::int, min(w.settled_at), max(w.settled_at) from mail.letter w
  where w.state = 'sent' and w.settled_at > statement_timestamp() - interval '1 day'
$$;
alter function mail.summary() owner to {{job:mail}};
revoke execute on function mail.summary() from public;
grant execute on function mail.summary() to {{app}};

-- The last letters that were given up; `kept`: whether there is still something to send.
create or replace function mail.given_up(most int)
returns table (tenant_id uuid, letter_id uuid, reason text, attempts int, settled_at timestamptz, kept boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select w.tenant_id, w.letter_id, w.reason, w.attempts, w.settled_at, coalesce(w.recipient, w.owed_by) is not null
  from mail.letter w where w.state = 'dead' order by w.settled_at desc limit most
$$;
alter function mail.given_up(int) owner to {{job:mail}};
revoke execute on function mail.given_up(int) from public;
grant execute on function mail.given_up(int) to {{app}};

-- Makes letters that were given up and still have their words due again, as if new, and tries the addresses that refused them
-- again. Null: of any tenant, for any reason.
create or replace function mail.requeue(of_tenant uuid, for_reason text) returns int
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  with again as (
    update mail.letter w set state = 'queued', attempts = 0, queued_at = clock_timestamp(), next_at = clock_timestamp(),
      settled_at = null, reason = null
    where w.state = 'dead' and (w.recipient is not null and w.subject is not null or w.owed_by is not null)
      and (of_tenant is null or w.tenant_id = of_tenant) and (for_reason is null or w.reason = for_reason)
    returning w.tenant_id, w.address),
  freed as (
    update mail.address a set refused_at = null, reason = null, stopped_at = null
    from (select distinct tenant_id, address from again) g
    where a.tenant_id = g.tenant_id and a.address = g.address and a.refused_at is not null
    returning 1)
  select count(*)::int from again
$$;
alter function mail.requeue(uuid, text) owner to {{job:mail}};
revoke execute on function mail.requeue(uuid, text) from public;
grant execute on function mail.requeue(uuid, text) to {{app}};
