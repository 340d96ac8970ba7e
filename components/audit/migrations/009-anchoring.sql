-- The platform's days, incarnations and keys: functions like those of the sealer's other work.
-- The platform's day: a line a tenant whose chain had begun, in the order of the tenants.
create function audit.platform_lines(p_day date, p_after uuid, p_limit int)
returns table (tenant_id uuid, manifest_sha256 bytea)
language sql stable security definer
set search_path = audit, pg_temp set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
  select h.tenant_id, s.manifest_sha256
  from audit.head h join audit.sealed_day s on s.tenant_id = h.tenant_id and s.day = p_day
  where p_after is null or h.tenant_id > p_after
  order by h.tenant_id limit p_limit
$$;

create function audit.first_sealed_day() returns date
language sql stable security definer set search_path = audit, pg_temp as $$
  select min(s.day) from audit.sealed_day s
$$;

create function audit.record_platform_day(p_day text) returns void
language plpgsql security definer set search_path = audit, pg_temp as $$
declare
  d record;
begin
  select * into d from jsonb_to_record(p_day::jsonb) as d (
    day date, incarnation int, count bigint, bytes bigint, sha256 text, root text, powers text, "manifestSha256" text,
    "rowsVersion" text, "manifestVersion" text, "checkpointVersion" text, checkpoint text, "keyId" text);
  insert into audit.platform_day (day, incarnation, count, bytes, sha256, root, powers, manifest_sha256, rows_version,
    manifest_version, checkpoint_version, checkpoint, key_id)
  values (d.day, d.incarnation, d.count, d.bytes, decode(d.sha256, 'hex'), decode(d.root, 'hex'), d.powers,
    decode(d."manifestSha256", 'hex'), d."rowsVersion", d."manifestVersion", d."checkpointVersion", d.checkpoint, d."keyId")
  on conflict do nothing;
  if not found and (select p.manifest_sha256 from audit.platform_day p where p.day = d.day)
      is distinct from decode(d."manifestSha256", 'hex') then
    raise exception 'another manifest is recorded for the platform''s day %', d.day using errcode = '23514';
  end if;
end
$$;

-- Remembers an incarnation that the archive knows.
create function audit.record_incarnation(p_number int, p_day date) returns void
language sql security definer set search_path = audit, pg_temp as $$
  insert into audit.incarnation (number, day) select p_number, p_day where p_number > 1 on conflict do nothing
$$;

-- A chain whose archived rows go further than its own. Answers its new incarnation: of all chains that were found so after
-- one restore it is the same, one more than the highest that the archive bears (p_archived_incarnation). noted: nobody
-- else had recorded it.
create function audit.record_restored(p_tenant uuid, p_day date, p_sequence bigint, p_row_hash bytea,
  p_archived_sequence bigint, p_archived_incarnation int) returns table (incarnation int, noted boolean)
language plpgsql security definer set search_path = audit, pg_temp as $$
#variable_conflict use_column
declare
  v_number int;
begin
  perform pg_advisory_xact_lock(hashtext('audit.incarnation'));
  select coalesce(max(i.number), 1) into v_number from audit.incarnation i;
  if v_number <= p_archived_incarnation then
    v_number := p_archived_incarnation + 1;
    insert into audit.incarnation (number, day) values (v_number, p_day);
  end if;
  insert into audit.restored_chain (tenant_id, incarnation, sequence, row_hash, archived_sequence)
  values (p_tenant, v_number, p_sequence, p_row_hash, p_archived_sequence) on conflict do nothing;
  return query select v_number, found;
end
$$;

-- p_previous: the key that is current, null for the first. Answers false where another one is.
create function audit.register_key(p_previous text, p_key_id text, p_verifier_key text, p_note text) returns boolean
language plpgsql security definer set search_path = audit, pg_temp as $$
declare
  v_number int;
  v_current text;
begin
  perform pg_advisory_xact_lock(hashtext('audit.signing_key'));
  select k.number, k.key_id into v_number, v_current from audit.signing_key k order by k.number desc limit 1;
  if v_current is distinct from p_previous then
    return false;
  end if;
  insert into audit.signing_key (number, key_id, verifier_key, note)
  values (coalesce(v_number, 0) + 1, p_key_id, p_verifier_key, p_note);
  return true;
end
$$;

grant create on schema audit to {{job:audit_sealer}};
do $$
declare
  signature text;
begin
  foreach signature in array array[
    'platform_lines(date, uuid, int)', 'first_sealed_day()', 'record_platform_day(text)', 'record_incarnation(int, date)',
    'record_restored(uuid, date, bigint, bytea, bigint, int)', 'register_key(text, text, text, text)'] loop
    execute 'alter function audit.' || signature || ' owner to {{job:audit_sealer}}';
    execute 'revoke all on function audit.' || signature || ' from public';
    execute 'grant execute on function audit.' || signature || ' to {{app}}';
  end loop;
end
$$;
revoke create on schema audit from {{job:audit_sealer}};
