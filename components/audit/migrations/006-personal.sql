-- Personal data of a subject is sealed with the subject's own key, which is wrapped with a master key outside the
-- database. An erased key stays as a row without what it wrapped. At most one key of a subject lives.
create table audit.subject_key (
  tenant_id uuid not null,
  key_id uuid not null,
  subject text collate "C" not null check (subject <> ''),
  -- Which master key wraps it.
  master text collate "C",
  wrapped bytea,
  created_at timestamptz not null default clock_timestamp(),
  erased_at timestamptz,
  primary key (tenant_id, key_id),
  check (case when erased_at is null then num_nulls(master, wrapped) = 0 else num_nonnulls(master, wrapped) = 0 end)
);
create unique index subject_key_alive on audit.subject_key (tenant_id, subject) where erased_at is null;
create index subject_key_master on audit.subject_key (master) where master is not null;

-- While a hold stands, nothing of the tenant may be erased or expire.
create table audit.legal_hold (
  tenant_id uuid not null,
  hold_id uuid not null,
  reason text not null,
  placed_by text not null,
  placed_at timestamptz not null default clock_timestamp(),
  released_by text,
  released_at timestamptz,
  primary key (tenant_id, hold_id),
  check (num_nulls(released_by, released_at) in (0, 2))
);
create unique index legal_hold_standing on audit.legal_hold (tenant_id) where released_at is null;

-- The archived rows of days up to this one were removed because their time was over. The rows here stay.
create table audit.expiry (
  tenant_id uuid primary key,
  through date not null
);

grant usage on schema audit to {{job:audit_personal}};
do $$
declare
  relation text;
begin
  foreach relation in array array['subject_key', 'legal_hold', 'expiry'] loop
    execute format('alter table audit.%I enable row level security', relation);
    execute format('alter table audit.%I force row level security', relation);
    execute format($policy$create policy tenant on audit.%I for select to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, relation);
    execute format('create policy personal on audit.%I to {{job:audit_personal}} using (true) with check (true)', relation);
    execute format('grant select on audit.%I to {{app}}', relation);
    execute format('grant select, insert, update on audit.%I to {{job:audit_personal}}', relation);
    execute format('create trigger kept before delete or truncate on audit.%I
      for each statement execute function audit.refuse_change()', relation);
    execute format($trigger$create trigger changed_by_its_verbs before update on audit.%I
      for each statement when ('"' || current_user || '"' <> '{{job:audit_personal}}')
      execute function audit.refuse_change()$trigger$, relation);
    execute format('alter table audit.%I enable always trigger kept', relation);
    execute format('alter table audit.%I enable always trigger changed_by_its_verbs', relation);
  end loop;
end
$$;
create policy appender on audit.subject_key for select to {{job:audit_appender}} using (true);
grant select (tenant_id, key_id, erased_at) on audit.subject_key to {{job:audit_appender}};

-- The tenant of the transaction; the functions below work on no other.
create function audit.own_tenant() returns uuid language plpgsql stable set search_path = audit, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
begin
  if v_tenant is null then
    raise exception 'this belongs into a transaction of a tenant' using errcode = '42501';
  end if;
  return v_tenant;
end
$$;

-- Here and below, lookups stand behind a limit: joined, they would be planned on the empty table to read all keys of the
-- tenant, and stay so.
--
-- The living keys of these subjects. Where there is none, the candidate of the same place becomes it; of processes that
-- do so at once one wins, and all get its key. Locked, so that none is erased before the transaction ends.
create function audit.use_subject_keys(p_subjects text[], p_ids uuid[], p_master text, p_wrapped bytea[])
returns table (subject text, key_id uuid, master text, wrapped bytea)
language plpgsql security definer set search_path = audit, pg_temp as $$
#variable_conflict use_column
declare
  v_tenant uuid := audit.own_tenant();
  v_locked int;
begin
  loop
    insert into audit.subject_key (tenant_id, key_id, subject, master, wrapped)
    select v_tenant, c.key_id, c.subject, p_master, c.wrapped
    from unnest(p_subjects, p_ids, p_wrapped) as c (subject, key_id, wrapped)
    order by c.subject
    on conflict (tenant_id, subject) where erased_at is null do nothing;
    select count(k.key_id) into v_locked from (select unnest(p_subjects) as subject order by 1) s
    cross join lateral (select key_id from audit.subject_key
      where tenant_id = v_tenant and subject = s.subject and erased_at is null limit 1 for share) k;
    -- One that was erased between the two statements is made anew.
    exit when v_locked = cardinality(p_subjects);
  end loop;
  return query select s.subject, k.key_id, k.master, k.wrapped from unnest(p_subjects) as s (subject)
    cross join lateral (select key_id, master, wrapped from audit.subject_key
      where tenant_id = v_tenant and subject = s.subject and erased_at is null limit 1) k;
end
$$;

-- Raises where a hold stands; until the transaction ends none is placed.
create function audit.require_no_hold() returns void
language plpgsql security definer set search_path = audit, pg_temp as $$
declare
  v_tenant uuid := audit.own_tenant();
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('audit.legal_hold ' || v_tenant, 0));
  if exists (select from audit.legal_hold where tenant_id = v_tenant and released_at is null) then
    raise exception 'a legal hold stands on the tenant' using errcode = 'AU409';
  end if;
end
$$;

-- Destroys the living keys of a subject, or those of these ids, and answers their ids.
create function audit.erase_subject_keys(p_subject text, p_keys uuid[]) returns setof uuid
language plpgsql security definer set search_path = audit, pg_temp as $$
declare
  v_tenant uuid := audit.own_tenant();
begin
  perform audit.require_no_hold();
  return query update audit.subject_key set master = null, wrapped = null, erased_at = clock_timestamp()
    where tenant_id = v_tenant and erased_at is null and subject = p_subject
    returning key_id;
  return query update audit.subject_key set master = null, wrapped = null, erased_at = clock_timestamp()
    where tenant_id = v_tenant and erased_at is null and key_id = any (p_keys)
    returning key_id;
end
$$;

-- Wraps a key with another master key, unless it was erased or wrapped anew meanwhile.
create function audit.rewrap_subject_key(p_key uuid, p_before bytea, p_master text, p_wrapped bytea) returns boolean
language plpgsql security definer set search_path = audit, pg_temp as $$
begin
  update audit.subject_key set master = p_master, wrapped = p_wrapped
  where tenant_id = audit.own_tenant() and key_id = p_key and wrapped = p_before;
  return found;
end
$$;

-- Which master keys are in use, whatever the tenant: a start without one of them is refused. Steps from one to the next.
create function audit.masters_in_use() returns setof text
language sql stable security definer set search_path = audit, pg_temp as $$
  with recursive steps as (
    (select master from audit.subject_key where master is not null order by master limit 1)
    union all
    select (select k.master from audit.subject_key k where k.master > steps.master order by k.master limit 1)
    from steps where steps.master is not null
  )
  select master from steps where master is not null
$$;

-- Places a hold; answers whether there was none before. Waits for erasures and expiries that are under way.
create function audit.place_hold(p_hold uuid, p_reason text, p_by text) returns boolean
language plpgsql security definer set search_path = audit, pg_temp as $$
declare
  v_tenant uuid := audit.own_tenant();
begin
  perform pg_advisory_xact_lock(hashtextextended('audit.legal_hold ' || v_tenant, 0));
  insert into audit.legal_hold (tenant_id, hold_id, reason, placed_by) values (v_tenant, p_hold, p_reason, p_by)
  on conflict (tenant_id) where released_at is null do nothing;
  return found;
end
$$;

-- Releases the standing hold and answers its id; nothing where there is none.
create function audit.release_hold(p_by text) returns setof uuid
language sql security definer set search_path = audit, pg_temp as $$
  update audit.legal_hold set released_by = p_by, released_at = clock_timestamp()
  where tenant_id = audit.own_tenant() and released_at is null returning hold_id
$$;

-- Moves the mark of what has expired; it never goes back.
create function audit.mark_expired(p_through date) returns void
language plpgsql security definer set search_path = audit, pg_temp as $$
begin
  perform audit.require_no_hold();
  insert into audit.expiry as e (tenant_id, through) values (audit.own_tenant(), p_through)
  on conflict (tenant_id) do update set through = greatest(e.through, excluded.through);
end
$$;

-- No event is stored under an erased key: a process that still remembers it is told, and seals with a new one. After
-- the head's lock, so that every event under the key precedes the event of the erasure.
create function audit.refuse_erased_key() returns trigger language plpgsql set search_path = audit, pg_temp as $$
begin
  if exists (
    select from regexp_matches(new.event,
      '"\$sealed":"1","key":"([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})"', 'g') as found (groups)
    where (select erased_at is null from audit.subject_key
      where tenant_id = new.tenant_id and key_id = found.groups[1]::uuid limit 1) is not true
  ) then
    raise exception 'a value of the event is sealed with an erased key' using errcode = 'AU410';
  end if;
  return new;
end
$$;
create trigger sealed_with_living_keys before insert on audit.event
  for each row when (strpos(new.event, '"$sealed":') > 0) execute function audit.refuse_erased_key();

grant create on schema audit to {{job:audit_personal}};
do $$
declare
  routine text;
begin
  foreach routine in array array['use_subject_keys(text[], uuid[], text, bytea[])', 'require_no_hold()',
    'erase_subject_keys(text, uuid[])', 'rewrap_subject_key(uuid, bytea, text, bytea)', 'masters_in_use()',
    'place_hold(uuid, text, text)', 'release_hold(text)', 'mark_expired(date)'] loop
    execute format('alter function audit.%s owner to {{job:audit_personal}}', routine);
    execute format('revoke all on function audit.%s from public', routine);
    execute format('grant execute on function audit.%s to {{app}}, {{job:audit_personal}}', routine);
  end loop;
end
$$;
revoke create on schema audit from {{job:audit_personal}};
revoke all on function audit.own_tenant(), audit.refuse_erased_key() from public;
grant execute on function audit.own_tenant() to {{job:audit_personal}};
