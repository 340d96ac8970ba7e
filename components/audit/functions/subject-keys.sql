-- Lookups have a limit here: joined, they would be planned on the empty table to read all keys of the tenant, and stay so.

-- The living keys of these subjects. Where there is none, the candidate of the same place becomes it; of processes that
-- do so at once one wins, and all get its key. Locked, so that none is erased before the transaction ends.
create or replace function audit.use_subject_keys(p_subjects text[], p_ids uuid[], p_master text, p_wrapped bytea[])
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
    -- If it was erased between the two statements, a new one is made.
    exit when v_locked = cardinality(p_subjects);
  end loop;
  return query select s.subject, k.key_id, k.master, k.wrapped from unnest(p_subjects) as s (subject)
    cross join lateral (select key_id, master, wrapped from audit.subject_key
      where tenant_id = v_tenant and subject = s.subject and erased_at is null limit 1) k;
end
$$;
alter function audit.use_subject_keys(text[], uuid[], text, bytea[]) owner to {{job:audit_personal}};
revoke execute on function audit.use_subject_keys(text[], uuid[], text, bytea[]) from public;
grant execute on function audit.use_subject_keys(text[], uuid[], text, bytea[]) to {{app}};

-- Destroys the living keys of a subject, or those of these ids, and answers their ids.
create or replace function audit.erase_subject_keys(p_subject text, p_keys uuid[]) returns setof uuid
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
alter function audit.erase_subject_keys(text, uuid[]) owner to {{job:audit_personal}};
revoke execute on function audit.erase_subject_keys(text, uuid[]) from public;
grant execute on function audit.erase_subject_keys(text, uuid[]) to {{app}};

-- Wraps a key with another master key, unless it was erased or wrapped again meanwhile.
create or replace function audit.rewrap_subject_key(p_key uuid, p_before bytea, p_master text, p_wrapped bytea) returns boolean
language plpgsql security definer set search_path = audit, pg_temp as $$
begin
  update audit.subject_key set master = p_master, wrapped = p_wrapped
  where tenant_id = audit.own_tenant() and key_id = p_key and wrapped = p_before;
  return found;
end
$$;
alter function audit.rewrap_subject_key(uuid, bytea, text, bytea) owner to {{job:audit_personal}};
revoke execute on function audit.rewrap_subject_key(uuid, bytea, text, bytea) from public;
grant execute on function audit.rewrap_subject_key(uuid, bytea, text, bytea) to {{app}};

-- Which master keys are in use, whatever the tenant: a start without one of them is refused. Steps from one to the next.
create or replace function audit.masters_in_use() returns setof text
language sql stable security definer set search_path = audit, pg_temp as $$
  with recursive steps as (
    (select master from audit.subject_key where master is not null order by master limit 1)
    union all
    select (select k.master from audit.subject_key k where k.master > steps.master order by k.master limit 1)
    from steps where steps.master is not null
  )
  select master from steps where master is not null
$$;
alter function audit.masters_in_use() owner to {{job:audit_personal}};
revoke execute on function audit.masters_in_use() from public;
grant execute on function audit.masters_in_use() to {{app}};
