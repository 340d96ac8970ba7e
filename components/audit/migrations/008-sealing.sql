-- What the sealer does across tenants: functions that the application may call, as a role that may do nothing else.
-- The day each tenant is to be sealed next, in the order of the tenants, with where that day begins: behind the last sealed
-- day, or where a restored chain goes on. A chain that lost all its rows is due too: sealing it must fail.
-- p_day: only those who are due on it; p_only: only this tenant.
create function audit.next_days(p_day date, p_only uuid, p_after uuid, p_limit int) returns table (
  tenant_id uuid, next_day date, last_sequence bigint, last_row_hash bytea, resumed int,
  previous_day date, previous_incarnation int, previous_manifest bytea,
  previous_rows_version text, previous_manifest_version text, previous_checkpoint_version text
)
language sql stable security definer
set search_path = audit, pg_temp set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
  select h.tenant_id, coalesce(last.day + 1, first.day, (h.received_at at time zone 'UTC')::date),
    coalesce(resumed.sequence, last.last_sequence, 0),
    coalesce(resumed.row_hash, last.last_row_hash, sha256(convert_to(e'audit-genesis/v1\n' || h.tenant_id::text, 'UTF8'))),
    resumed.incarnation, last.day, last.incarnation, last.manifest_sha256,
    last.rows_version, last.manifest_version, last.checkpoint_version
  from audit.head h
  left join lateral (
    select s.* from audit.sealed_day s where s.tenant_id = h.tenant_id order by s.day desc limit 1) last on true
  left join lateral (
    select (e.received_at at time zone 'UTC')::date as day from audit.event e
    where e.tenant_id = h.tenant_id and last.day is null order by e.sequence limit 1) first on true
  left join lateral (
    select r.sequence, r.row_hash, r.incarnation from audit.restored_chain r
    where r.tenant_id = h.tenant_id and r.incarnation > coalesce(last.incarnation, 0)
    order by r.incarnation desc limit 1) resumed on true
  where h.sequence > 0 and (p_after is null or h.tenant_id > p_after) and (p_only is null or h.tenant_id = p_only)
    and (p_day is null or p_day = coalesce(last.day + 1, first.day, (h.received_at at time zone 'UTC')::date))
  order by h.tenant_id limit p_limit
$$;

-- The days on which tenants are due up to p_through, and how many tenants on each.
create function audit.due_days(p_through date, p_only uuid) returns table (day date, tenants bigint)
language sql stable security definer set search_path = audit, pg_temp as $$
  select d.next_day, count(*) from audit.next_days(null, p_only, null, null) d where d.next_day <= p_through group by 1 order by 1
$$;

-- Refuses a day that is not over, and waits until every chain that was being opened on it can be seen: one that is opened
-- from now on begins on a later day.
create function audit.close_day(p_day date) returns void
language plpgsql security definer set search_path = audit, pg_temp as $$
begin
  if p_day >= (clock_timestamp() at time zone 'UTC')::date then
    raise exception 'the day % is not over', p_day using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtext('audit.opening'));
end
$$;

-- Sets the mark: nothing is received on that day any more. It holds head locks, and does nothing else under them.
-- p_wait: for heads locked by others; without it they are left out. Answers the tenants that bear the mark.
create function audit.mark_sealed(p_tenants uuid[], p_day date, p_wait boolean) returns uuid[]
language plpgsql security definer
set search_path = audit, pg_temp set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  v_locked uuid[];
begin
  if p_day >= (clock_timestamp() at time zone 'UTC')::date then
    raise exception 'the day % is not over', p_day using errcode = '22023';
  end if;
  if p_wait then
    select array_agg(l.tenant_id) into v_locked from (
      select h.tenant_id from audit.head h
      where h.tenant_id = any (p_tenants) and (h.sealed_through is null or h.sealed_through < p_day)
      order by h.tenant_id for update) l;
  else
    select array_agg(l.tenant_id) into v_locked from (
      select h.tenant_id from audit.head h
      where h.tenant_id = any (p_tenants) and (h.sealed_through is null or h.sealed_through < p_day)
      order by h.tenant_id for update skip locked) l;
  end if;
  update audit.head h set sealed_through = p_day
  where h.tenant_id = any (v_locked) and (h.sealed_through is null or h.sealed_through < p_day);
  return array(select h.tenant_id from audit.head h where h.tenant_id = any (p_tenants) and h.sealed_through >= p_day);
end
$$;

-- Where the chains stand, and when the row behind p_sequences was received; null where there is none.
create function audit.chain_ends(p_tenants uuid[], p_sequences bigint[])
returns table (tenant_id uuid, sequence bigint, row_hash bytea, received_at timestamptz, next_received_at timestamptz)
language sql stable security definer
set search_path = audit, pg_temp set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
  select h.tenant_id, h.sequence, h.row_hash, h.received_at,
    (select e.received_at from audit.event e where e.tenant_id = h.tenant_id and e.sequence = p.sequence + 1)
  from unnest(p_tenants, p_sequences) as p (tenant_id, sequence)
  join audit.head h on h.tenant_id = p.tenant_id
$$;

-- Keeps what was archived. p_days: a JSON array of rows, at most one a tenant, hashes as hex. A row that is there stays.
create function audit.record_sealed_days(p_days text) returns void
language plpgsql security definer set search_path = audit, pg_temp as $$
declare
  v_wrong text;
begin
  insert into audit.sealed_day (tenant_id, day, incarnation, first_sequence, last_sequence, first_previous_hash,
    last_row_hash, bytes, sha256, root, powers, manifest_sha256, rows_version, manifest_version, checkpoint_version,
    checkpoint, key_id)
  select d.tenant, d.day, d.incarnation, d."firstSequence", d."lastSequence", decode(d."firstPreviousHash", 'hex'),
    decode(d."lastRowHash", 'hex'), d.bytes, decode(d.sha256, 'hex'), decode(d.root, 'hex'), d.powers,
    decode(d."manifestSha256", 'hex'), d."rowsVersion", d."manifestVersion", d."checkpointVersion", d.checkpoint, d."keyId"
  from jsonb_to_recordset(p_days::jsonb) as d (
    tenant uuid, day date, incarnation int, "firstSequence" bigint, "lastSequence" bigint, "firstPreviousHash" text,
    "lastRowHash" text, bytes bigint, sha256 text, root text, powers text, "manifestSha256" text, "rowsVersion" text,
    "manifestVersion" text, "checkpointVersion" text, checkpoint text, "keyId" text)
  where exists (select from audit.head h where h.tenant_id = d.tenant and h.sealed_through >= d.day)
    and (exists (select from audit.sealed_day s where s.tenant_id = d.tenant and s.day = d.day - 1)
      or not exists (select from audit.sealed_day s where s.tenant_id = d.tenant and s.day < d.day))
  -- In one order, so that two who record the same do not wait for one another.
  order by d.tenant
  on conflict do nothing;
  -- A statement of its own: its snapshot holds what another sealer recorded in the meantime.
  select string_agg(d.tenant || ' ' || d.day, ', ') into v_wrong
  from jsonb_to_recordset(p_days::jsonb) as d (tenant uuid, day date, "manifestSha256" text)
  left join audit.sealed_day s on s.tenant_id = d.tenant and s.day = d.day
  where s.manifest_sha256 is distinct from decode(d."manifestSha256", 'hex');
  if v_wrong is not null then
    raise exception 'another manifest is recorded, or the day is not marked, or the day before is not sealed: %', v_wrong
      using errcode = '23514';
  end if;
end
$$;

grant create on schema audit to {{job:audit_sealer}};
do $$
declare
  signature text;
begin
  foreach signature in array array[
    'next_days(date, uuid, uuid, int)', 'due_days(date, uuid)', 'mark_sealed(uuid[], date, boolean)', 'close_day(date)',
    'chain_ends(uuid[], bigint[])', 'record_sealed_days(text)'] loop
    execute 'alter function audit.' || signature || ' owner to {{job:audit_sealer}}';
    execute 'revoke all on function audit.' || signature || ' from public';
    execute 'grant execute on function audit.' || signature || ' to {{app}}';
  end loop;
end
$$;
revoke create on schema audit from {{job:audit_sealer}};
