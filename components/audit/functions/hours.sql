-- The last hour that is recorded; no row before the first.
create or replace function audit.last_hour() returns table (number int, taken_at timestamptz, note_sha256 bytea)
language sql stable security definer set search_path = audit, pg_temp as $$
  select h.number, h.taken_at, h.note_sha256 from audit.hour h order by h.number desc limit 1
$$;
alter function audit.last_hour() owner to {{job:audit_sealer}};
revoke execute on function audit.last_hour() from public;
grant execute on function audit.last_hour() to {{app}};

-- Whether another hour has begun since the last checkpoint, or one was begun and not finished.
create or replace function audit.hour_due() returns boolean
language sql stable security definer set search_path = audit, pg_temp as $$
  select exists (select from audit.hour_draft) or coalesce(
    (select date_trunc('hour', h.taken_at, 'UTC') <> date_trunc('hour', clock_timestamp(), 'UTC')
     from audit.hour h order by h.number desc limit 1),
    exists (select from audit.head h where h.sequence > 0))
$$;
alter function audit.hour_due() owner to {{job:audit_sealer}};
revoke execute on function audit.hour_due() from public;
grant execute on function audit.hour_due() to {{app}};

-- The end of every chain that has changed since its last line, once an hour by the database's clock, in the order of
-- the tenants; the same answer until it is recorded. No row if nothing has changed. Its time is that clock's, or
-- that of the last row if the clock was set back: no row in it was received later.
create or replace function audit.close_hour(p_incarnation int) returns table (number int, body text)
language plpgsql security definer set search_path = audit, pg_temp as $$
#variable_conflict use_column
declare
  v_last audit.hour;
  v_now timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_hour timestamptz := date_trunc('hour', v_now, 'UTC');
  v_number int;
  v_lines text;
  v_seen timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('audit.hour'));
  return query select d.number, d.body from audit.hour_draft d order by d.number limit 1;
  if found then
    return;
  end if;
  select * into v_last from audit.hour h order by h.number desc limit 1;
  -- Another hour, not a later one: a clock that was set back stops nothing.
  if date_trunc('hour', v_last.taken_at, 'UTC') = v_hour then
    return;
  end if;
  with changed as (
    select h.tenant_id, h.sequence, h.row_hash, h.received_at from audit.head h
    left join audit.hour_head a on a.tenant_id = h.tenant_id
    where h.sequence > 0 and a.sequence is distinct from h.sequence
  ), told as (
    insert into audit.hour_head (tenant_id, sequence) select c.tenant_id, c.sequence from changed c
    on conflict (tenant_id) do update set sequence = excluded.sequence
  )
  select string_agg(c.tenant_id || ' ' || c.sequence || ' ' || encode(c.row_hash, 'hex') || e'\n', '' order by c.tenant_id),
    greatest(v_now, max(c.received_at))
  into v_lines, v_seen from changed c;
  if v_lines is null then
    return;
  end if;
  v_number := coalesce(v_last.number, 0) + 1;
  insert into audit.hour_draft (number, taken_at, body) values (v_number, v_now,
    e'steward/audit/hour\n' || v_number || e'\n'
    || to_char(v_seen at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || e'\nincarnation ' || p_incarnation || e'\n'
    || coalesce('previous ' || encode(v_last.note_sha256, 'hex') || e'\n', '') || v_lines);
  return query select d.number, d.body from audit.hour_draft d where d.number = v_number;
end
$$;
alter function audit.close_hour(int) owner to {{job:audit_sealer}};
revoke execute on function audit.close_hour(int) from public;
grant execute on function audit.close_hour(int) to {{app}};

-- Records that a draft is in the archive. A recorded number stays.
create or replace function audit.record_hour(p_number int, p_sha256 bytea, p_key_id text) returns void
language plpgsql security definer set search_path = audit, pg_temp as $$
begin
  insert into audit.hour (number, taken_at, note_sha256, key_id)
  select d.number, d.taken_at, p_sha256, p_key_id from audit.hour_draft d where d.number = p_number
  on conflict do nothing;
  delete from audit.hour_draft d where d.number = p_number;
  if (select h.note_sha256 from audit.hour h where h.number = p_number) is distinct from p_sha256 then
    raise exception 'another checkpoint is recorded for hour %', p_number using errcode = '23514';
  end if;
end
$$;
alter function audit.record_hour(int, bytea, text) owner to {{job:audit_sealer}};
revoke execute on function audit.record_hour(int, bytea, text) from public;
grant execute on function audit.record_hour(int, bytea, text) to {{app}};

-- Takes over an hour that is in the archive and not recorded in this database. If its own draft is the same, whose writer was killed,
-- the draft is done; any other draft is dropped, and the next hour names every chain again.
create or replace function audit.adopt_hour(p_number int, p_taken_at timestamptz, p_sha256 bytea, p_key_id text, p_body text) returns void
language plpgsql security definer set search_path = audit, pg_temp as $$
#variable_conflict use_column
declare
  v_own boolean;
begin
  perform pg_advisory_xact_lock(hashtext('audit.hour'));
  if p_number <> (select coalesce(max(h.number), 0) + 1 from audit.hour h) then
    return;
  end if;
  select exists (select from audit.hour_draft d where d.number = p_number and d.body = p_body) into v_own;
  insert into audit.hour (number, taken_at, note_sha256, key_id)
  values (p_number, coalesce((select d.taken_at from audit.hour_draft d where v_own), p_taken_at), p_sha256, p_key_id);
  delete from audit.hour_draft;
  if not v_own then
    delete from audit.hour_head;
  end if;
end
$$;
alter function audit.adopt_hour(int, timestamptz, bytea, text, text) owner to {{job:audit_sealer}};
revoke execute on function audit.adopt_hour(int, timestamptz, bytea, text, text) from public;
grant execute on function audit.adopt_hour(int, timestamptz, bytea, text, text) to {{app}};
