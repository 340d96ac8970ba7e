-- Keeps what was archived. p_days: a JSON array of rows, at most one a tenant, hashes as hex. A row that is there stays.
create or replace function audit.record_sealed_days(p_days text) returns void
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
alter function audit.record_sealed_days(text) owner to {{job:audit_sealer}};
revoke execute on function audit.record_sealed_days(text) from public;
grant execute on function audit.record_sealed_days(text) to {{app}};
