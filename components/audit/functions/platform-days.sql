-- The platform's day: one line for each tenant whose chain had begun, in the order of the tenants.
create or replace function audit.platform_lines(p_day date, p_after uuid, p_limit int)
returns table (tenant_id uuid, manifest_sha256 bytea)
language sql stable security definer
set search_path = audit, pg_temp set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
  select h.tenant_id, s.manifest_sha256
  from audit.head h join audit.sealed_day s on s.tenant_id = h.tenant_id and s.day = p_day
  where p_after is null or h.tenant_id > p_after
  order by h.tenant_id limit p_limit
$$;
alter function audit.platform_lines(date, uuid, int) owner to {{job:audit_sealer}};
revoke execute on function audit.platform_lines(date, uuid, int) from public;
grant execute on function audit.platform_lines(date, uuid, int) to {{app}};

create or replace function audit.first_sealed_day() returns date
language sql stable security definer set search_path = audit, pg_temp as $$
  select min(s.day) from audit.sealed_day s
$$;
alter function audit.first_sealed_day() owner to {{job:audit_sealer}};
revoke execute on function audit.first_sealed_day() from public;
grant execute on function audit.first_sealed_day() to {{app}};

create or replace function audit.record_platform_day(p_day text) returns void
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
alter function audit.record_platform_day(text) owner to {{job:audit_sealer}};
revoke execute on function audit.record_platform_day(text) from public;
grant execute on function audit.record_platform_day(text) to {{app}};
