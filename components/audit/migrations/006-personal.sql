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

grant usage on schema audit to {{job:audit_personal}};
alter table audit.subject_key enable row level security;
alter table audit.subject_key force row level security;
create policy tenant on audit.subject_key for select to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy personal on audit.subject_key to {{job:audit_personal}} using (true) with check (true);
grant select on audit.subject_key to {{app}};
grant select, insert, update on audit.subject_key to {{job:audit_personal}};
create trigger kept before delete or truncate on audit.subject_key
  for each statement execute function audit.refuse_change();
create trigger changed_by_its_verbs before update on audit.subject_key
  for each statement when ('"' || current_user || '"' <> '{{job:audit_personal}}') execute function audit.refuse_change();
alter table audit.subject_key enable always trigger kept;
alter table audit.subject_key enable always trigger changed_by_its_verbs;
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
  foreach routine in array array['use_subject_keys(text[], uuid[], text, bytea[])', 'erase_subject_keys(text, uuid[])',
    'rewrap_subject_key(uuid, bytea, text, bytea)', 'masters_in_use()'] loop
    execute format('alter function audit.%s owner to {{job:audit_personal}}', routine);
    execute format('revoke all on function audit.%s from public', routine);
    execute format('grant execute on function audit.%s to {{app}}, {{job:audit_personal}}', routine);
  end loop;
end
$$;
revoke create on schema audit from {{job:audit_personal}};
revoke all on function audit.own_tenant(), audit.refuse_erased_key() from public;
grant execute on function audit.own_tenant() to {{job:audit_personal}};
