-- A batch by columns. One event is one line; U+001F separates its fields, empty is null: tenant, type and id of the subject
-- whose membership counts (the type as identity.standings_of takes it), standings that permit it (array literal), idempotency key, id, type, grammar, occurred_at,
-- causal_id, correlation_id, principals (array literal), event_hash (hex), event. One text and not an array a column,
-- because reading the arrays cost more than the inserts.
create or replace function audit.read_batch(p_batch text) returns table (
  events int, keyed boolean, asked boolean, tenants uuid[], subject_types text[], subject_ids text[], standings text[],
  keys text[], ids uuid[], types text[], grammars text[], occurred_at timestamptz[], causal_ids text[],
  correlation_ids text[], principals text[], event_hashes bytea[], texts text[]
)
language sql stable as $$
  select count(*)::int, count(f[5]) > 0, count(f[3]) > 0, array_agg(f[1]::uuid), array_agg(f[2]), array_agg(f[3]),
    array_agg(f[4]), array_agg(f[5]), array_agg(f[6]::uuid), array_agg(f[7]), array_agg(f[8]),
    array_agg(f[9]::timestamptz), array_agg(f[10]), array_agg(f[11]), array_agg(f[12]), array_agg(decode(f[13], 'hex')),
    array_agg(f[14])
  -- OFFSET keeps the planner from splitting each line once a column.
  from (select string_to_array(line, e'\x1f', '') as f from string_to_table(p_batch, e'\n') as line offset 0) parsed
$$;
revoke execute on function audit.read_batch(text) from public;
grant execute on function audit.read_batch(text) to {{job:audit_appender}};

-- Locks the heads of these tenants in their order, so that two batches never deadlock, and answers them in it;
-- received_at is the earliest time that the next row may have. p_skip: leaves out heads that others have locked.
create or replace function audit.lock_heads(p_tenants uuid[], p_skip boolean)
returns table (tenant_id uuid, sequence bigint, row_hash bytea, received_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
begin
  if p_skip then
    return query select h.tenant_id, h.sequence, h.row_hash,
      greatest(h.received_at, (h.sealed_through + 1)::timestamp at time zone 'UTC')
      from audit.head h where h.tenant_id = any (p_tenants) order by h.tenant_id for update skip locked;
  else
    return query select h.tenant_id, h.sequence, h.row_hash,
      greatest(h.received_at, (h.sealed_through + 1)::timestamp at time zone 'UTC')
      from audit.head h where h.tenant_id = any (p_tenants) order by h.tenant_id for update;
  end if;
end
$$;
revoke execute on function audit.lock_heads(uuid[], boolean) from public;
grant execute on function audit.lock_heads(uuid[], boolean) to {{job:audit_appender}};

-- A stored event as an append answers it: for repeated keys, and for batches whose answer was lost.
create or replace function audit.stored(p_tenant uuid, p_sequence bigint)
returns table (row_hash bytea, prev_hash bytea, received_ms bigint, event text)
language sql stable set search_path = audit, pg_temp as $$
  select e.row_hash, coalesce(before.row_hash, sha256(convert_to(e'audit-genesis/v1\n' || p_tenant::text, 'UTF8'))),
    (extract(epoch from e.received_at) * 1000)::bigint, e.event
  from audit.event e
  left join audit.event before on before.tenant_id = e.tenant_id and before.sequence = e.sequence - 1
  where e.tenant_id = p_tenant and e.sequence = p_sequence
$$;
revoke execute on function audit.stored(uuid, bigint) from public;
grant execute on function audit.stored(uuid, bigint) to {{job:audit_appender}};

-- Appends a batch of events in one round trip.
--   p_mode: 'tenant' every event belongs to app.tenant_id, and this waits for its head (the end of a domain write);
--           'skip'   any tenants; locked heads are skipped and answered 'busy' (the group commit);
--           'wait'   any tenants; this waits for heads (the group commit, for busy ones).
--   p_retry: the batch may have been committed before (its answer was lost): events whose id is stored are answered.
--   p_batch: as audit.read_batch reads it, in the order of the tenants; events of one key are neighbours.
-- Answers one row an event, in order. outcome: appended | replayed | busy | no_chain | forbidden (standing says which).
create or replace function audit.append(p_mode text, p_retry boolean, p_batch text) returns table (
  outcome text, standing text, sequence bigint, row_hash bytea, prev_hash bytea, received_ms bigint, event text
)
language plpgsql security definer
-- A join planned while a table was empty stays planned so: only index paths stay right from 0 rows to any number.
set search_path = audit, pg_temp set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_bound uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  -- e_: the batch by columns; h_: the locked heads; o_: the answer, one entry an event; a_received: null unless appended.
  e_tenant uuid[]; e_subject_type text[]; e_subject_id text[]; e_standings text[]; e_key text[]; e_id uuid[];
  e_type text[]; e_grammar text[]; e_occurred_at timestamptz[]; e_causal_id text[]; e_correlation_id text[];
  e_principals text[]; e_event_hash bytea[]; e_event text[];
  v_count int; v_keyed boolean; v_asked boolean;
  h_tenant uuid[]; h_sequence bigint[]; h_hash bytea[]; h_received timestamptz[];
  o_outcome text[]; o_standing text[]; o_sequence bigint[]; o_ms bigint[]; o_hash bytea[]; o_prev bytea[];
  a_received timestamptz[];
  -- v_stored: the sequence under which an event's key is stored; v_own: it is this very event that is stored.
  v_stored bigint[]; v_own boolean[];
  v_known record;
  v_now timestamptz; v_now_ms bigint;
  v_at int := 0; v_heads int; v_open uuid; v_there boolean; v_missing text; v_received timestamptz; v_ms bigint;
  v_sequence bigint; v_hash bytea; v_found bigint; v_last_key text; v_standing text; v_standings text[];
  v_stored_answers boolean := false; v_appends boolean := false;
begin
  select * into v_count, v_keyed, v_asked, e_tenant, e_subject_type, e_subject_id, e_standings, e_key, e_id, e_type,
    e_grammar, e_occurred_at, e_causal_id, e_correlation_id, e_principals, e_event_hash, e_event
  from audit.read_batch(p_batch);
  o_outcome := array_fill(null::text, array[v_count]);
  o_standing := o_outcome;
  o_sequence := array_fill(null::bigint, array[v_count]);
  o_ms := o_sequence;
  v_stored := o_sequence;
  o_hash := array_fill(null::bytea, array[v_count]);
  o_prev := o_hash;
  a_received := array_fill(null::timestamptz, array[v_count]);
  v_own := array_fill(false, array[v_count]);

  if p_mode = 'tenant' then
    if v_bound is null or not (v_bound = all (e_tenant)) then
      raise exception 'an event may only be appended to the tenant of its transaction' using errcode = '42501';
    end if;
  elsif p_mode not in ('skip', 'wait') then
    raise exception 'there is no mode %', p_mode using errcode = '22023';
  elsif v_bound is not null then
    raise exception 'a batch of many tenants belongs to no tenant''s transaction' using errcode = '42501';
  end if;

  select array_agg(h.tenant_id), array_agg(h.sequence), array_agg(h.row_hash), array_agg(h.received_at)
  into h_tenant, h_sequence, h_hash, h_received
  from audit.lock_heads(e_tenant, p_mode = 'skip') h;

  -- After the locks and in a snapshot of its own: what another transaction stored before it gave up a head is seen.
  if v_keyed then
    select array_agg((select s.sequence from audit.idempotency s where s.tenant_id = k.tenant_id and s.key = k.key))
    into v_stored from unnest(e_tenant, e_key) as k (tenant_id, key);
  end if;
  if p_retry then
    for v_known in
      select k.i, s.sequence
      from unnest(e_tenant, e_id) with ordinality as k (tenant_id, id, i)
      join audit.event s on s.tenant_id = k.tenant_id and s.id = k.id
    loop
      v_stored[v_known.i] := v_known.sequence;
      v_own[v_known.i] := true;
    end loop;
  end if;

  if v_asked then
    v_standings := identity.standings_of(e_tenant, e_subject_type, e_subject_id);
  end if;
  -- The clock is read when all locks are held: what is committed later is never received earlier.
  v_now := date_trunc('milliseconds', clock_timestamp());
  v_now_ms := extract(epoch from v_now) * 1000;
  v_heads := coalesce(cardinality(h_tenant), 0);

  for i in 1 .. v_count loop
    if e_tenant[i] is distinct from v_open then
      if e_tenant[i] < v_open then
        raise exception 'a batch must be in the order of its tenants' using errcode = '22023';
      end if;
      v_open := e_tenant[i];
      v_last_key := null;
      while v_at < v_heads and (v_at = 0 or h_tenant[v_at] < v_open) loop
        v_at := v_at + 1;
      end loop;
      v_there := v_at > 0 and h_tenant[v_at] = v_open;
      if v_there then
        v_sequence := h_sequence[v_at];
        v_hash := h_hash[v_at];
        v_received := h_received[v_at];
        if v_received <= v_now then
          v_received := v_now;
          v_ms := v_now_ms;
        else
          v_ms := extract(epoch from v_received) * 1000;
        end if;
      else
        v_missing := case when exists (select from audit.head where tenant_id = v_open) then 'busy' else 'no_chain' end;
      end if;
    end if;

    if not v_there then
      o_outcome[i] := v_missing;
      continue;
    end if;

    if e_subject_id[i] is not null and not v_own[i] then
      v_standing := v_standings[i];
      if v_standing is null or not (v_standing = any (e_standings[i]::text[])) then
        o_outcome[i] := 'forbidden';
        o_standing[i] := v_standing;
        continue;
      end if;
    end if;

    v_found := v_stored[i];
    if v_found is null and e_key[i] = v_last_key then
      v_found := v_sequence;
    end if;
    if v_found is not null then
      o_outcome[i] := case when v_own[i] then 'appended' else 'replayed' end;
      o_sequence[i] := v_found;
      v_stored_answers := true;
      continue;
    end if;

    v_sequence := v_sequence + 1;
    o_prev[i] := v_hash;
    v_hash := sha256('\x61756469742d726f772f76310a'::bytea || v_hash || int8send(v_sequence) || int8send(v_ms)
      || e_event_hash[i]);
    o_outcome[i] := 'appended';
    o_sequence[i] := v_sequence;
    o_hash[i] := v_hash;
    o_ms[i] := v_ms;
    a_received[i] := v_received;
    v_appends := true;
    v_last_key := e_key[i];
    h_sequence[v_at] := v_sequence;
    h_hash[v_at] := v_hash;
    h_received[v_at] := v_received;
  end loop;
  if v_appends then
    with appended as (
      insert into audit.event (tenant_id, sequence, received_at, event_hash, row_hash, id, type, grammar, occurred_at,
        causal_id, correlation_id, principals, event)
      select a.tenant_id, a.sequence, a.received_at, a.event_hash, a.row_hash, a.id, a.type, a.grammar, a.occurred_at,
        a.causal_id, a.correlation_id, a.principals::text[], a.event
      from unnest(e_tenant, o_sequence, a_received, e_event_hash, o_hash, e_id, e_type, e_grammar, e_occurred_at,
        e_causal_id, e_correlation_id, e_principals, e_event)
        as a (tenant_id, sequence, received_at, event_hash, row_hash, id, type, grammar, occurred_at, causal_id,
          correlation_id, principals, event)
      where a.received_at is not null
    ), keyed as (
      insert into audit.idempotency (tenant_id, key, sequence)
      select a.tenant_id, a.key, a.sequence
      from unnest(e_tenant, e_key, o_sequence, a_received) as a (tenant_id, key, sequence, received_at)
      where a.received_at is not null and a.key is not null
    )
    update audit.head
    set sequence = m.sequence, row_hash = m.row_hash, received_at = m.received_at
    from unnest(h_tenant, h_sequence, h_hash, h_received) as m (tenant_id, sequence, row_hash, received_at)
    where head.tenant_id = m.tenant_id and head.sequence < m.sequence;
  end if;

  if v_stored_answers then
    return query
      select o.outcome, o.standing, o.sequence, coalesce(o.row_hash, stored.row_hash),
        coalesce(o.prev_hash, stored.prev_hash), coalesce(o.ms, stored.received_ms), stored.event
      from unnest(e_tenant, o_outcome, o_standing, o_sequence, o_hash, o_prev, o_ms) with ordinality
        as o (tenant_id, outcome, standing, sequence, row_hash, prev_hash, ms, i)
      left join lateral audit.stored(o.tenant_id, o.sequence) stored on o.row_hash is null
      order by o.i;
  else
    return query
      select o.outcome, o.standing, o.sequence, o.row_hash, o.prev_hash, o.ms, null::text
      from unnest(o_outcome, o_standing, o_sequence, o_hash, o_prev, o_ms)
        as o (outcome, standing, sequence, row_hash, prev_hash, ms);
  end if;
end
$$;
alter function audit.append(text, boolean, text) owner to {{job:audit_appender}};
revoke execute on function audit.append(text, boolean, text) from public;
grant execute on function audit.append(text, boolean, text) to {{app}};
