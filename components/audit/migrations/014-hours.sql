-- Hourly checkpoints, and whose the archive is (docs/guides/audit-archive.md).
-- The installation: it stays with the data, wherever a backup of it is restored.
create table audit.installation (
  id uuid primary key default gen_random_uuid(),
  only_one boolean not null unique default true check (only_one)
);
insert into audit.installation default values;

-- What was written to the archive, a row an hour in which anything changed.
create table audit.hour (
  number int primary key check (number > 0),
  taken_at timestamptz not null,
  note_sha256 bytea not null check (octet_length(note_sha256) = 32),
  key_id text collate "C" not null
);

-- What is to be written next: decided once, so that every process writes the same bytes and whoever follows a kill too.
create table audit.hour_draft (
  number int primary key check (number > 0),
  taken_at timestamptz not null,
  body text collate "C" not null
);

-- How far each chain was told.
create table audit.hour_head (
  tenant_id uuid primary key,
  sequence bigint not null check (sequence >= 0)
) with (fillfactor = 50);

do $$
declare
  relation text;
begin
  foreach relation in array array['installation', 'hour', 'hour_draft', 'hour_head'] loop
    execute format('alter table audit.%I enable row level security', relation);
    execute format('alter table audit.%I force row level security', relation);
    execute format('create policy verifier on audit.%I for select to {{job:audit_verifier}} using (true)', relation);
    execute format('create policy sealer on audit.%I to {{job:audit_sealer}} using (true) with check (true)', relation);
    execute format('grant select on audit.%I to {{job:audit_verifier}}', relation);
    execute format('grant select, insert on audit.%I to {{job:audit_sealer}}', relation);
  end loop;
  foreach relation in array array['installation', 'hour'] loop
    execute format($trigger$create trigger append_only before update or delete or truncate on audit.%I
      for each statement execute function audit.refuse_change()$trigger$, relation);
    execute format('alter table audit.%I enable always trigger append_only', relation);
  end loop;
end
$$;
grant update, delete on audit.hour_draft, audit.hour_head to {{job:audit_sealer}};

-- Which installation this is, and in which database it is: another one where a backup was restored or a copy was made by
-- dump, template or rename; the same one where a standby took over.
create function audit.identity() returns table (installation uuid, database text)
language plpgsql stable security definer set search_path = audit, pg_temp as $$
declare
  v_cluster text;
begin
  begin
    select c.system_identifier::text into v_cluster from pg_catalog.pg_control_system() c;
  exception when insufficient_privilege then
    v_cluster := 'unknown';
  end;
  return query select i.id, v_cluster || '-' || d.oid
    from audit.installation i, pg_catalog.pg_database d where d.datname = current_database();
end
$$;

-- The last hour that is recorded; no row before the first.
create function audit.last_hour() returns table (number int, taken_at timestamptz, note_sha256 bytea)
language sql stable security definer set search_path = audit, pg_temp as $$
  select h.number, h.taken_at, h.note_sha256 from audit.hour h order by h.number desc limit 1
$$;

-- Whether another hour has begun since the last one was told, or one was begun and not finished.
create function audit.hour_due() returns boolean
language sql stable security definer set search_path = audit, pg_temp as $$
  select exists (select from audit.hour_draft) or coalesce(
    (select date_trunc('hour', h.taken_at, 'UTC') <> date_trunc('hour', clock_timestamp(), 'UTC')
     from audit.hour h order by h.number desc limit 1),
    exists (select from audit.head h where h.sequence > 0))
$$;

-- Where every chain stands that has changed since it was told last, once an hour by the database's clock, in the order of
-- the tenants; the same answer until it is recorded. No row where there is nothing to tell. The time in it is that clock's, or
-- that of the last row where the clock was set back: no row that is told was received later.
create function audit.close_hour(p_incarnation int) returns table (number int, body text)
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

-- Keeps that a draft stands in the archive. A number that is recorded stays.
create function audit.record_hour(p_number int, p_sha256 bytea, p_key_id text) returns void
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

-- Takes over an hour that the archive holds and this database has no record of. Its own draft of it, whose writer was killed,
-- is done then; any other is dropped, and every chain is told anew.
create function audit.adopt_hour(p_number int, p_taken_at timestamptz, p_sha256 bytea, p_key_id text, p_body text) returns void
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

-- Those of the rows that this database does not have, or has with another hash (null: not there).
create function audit.missing_rows(p_tenants uuid[], p_sequences bigint[], p_hashes bytea[])
returns table (tenant_id uuid, sequence bigint, row_hash bytea)
language sql stable security definer
set search_path = audit, pg_temp set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
  select p.tenant_id, p.sequence, e.row_hash
  from unnest(p_tenants, p_sequences, p_hashes) as p (tenant_id, sequence, row_hash)
  left join audit.event e on e.tenant_id = p.tenant_id and e.sequence = p.sequence
  where e.row_hash is distinct from p.row_hash
$$;

-- Where chains end, of those that there are.
create function audit.heads_of(p_tenants uuid[]) returns table (tenant_id uuid, sequence bigint, row_hash bytea)
language sql stable security definer set search_path = audit, pg_temp as $$
  select h.tenant_id, h.sequence, h.row_hash from audit.head h where h.tenant_id = any (p_tenants)
$$;

grant create on schema audit to {{job:audit_sealer}};
do $$
declare
  signature text;
begin
  foreach signature in array array['identity()', 'last_hour()', 'hour_due()', 'close_hour(int)', 'record_hour(int, bytea, text)',
    'adopt_hour(int, timestamptz, bytea, text, text)', 'missing_rows(uuid[], bigint[], bytea[])', 'heads_of(uuid[])'] loop
    execute 'alter function audit.' || signature || ' owner to {{job:audit_sealer}}';
    execute 'revoke all on function audit.' || signature || ' from public';
    execute 'grant execute on function audit.' || signature || ' to {{app}}';
  end loop;
end
$$;
revoke create on schema audit from {{job:audit_sealer}};
