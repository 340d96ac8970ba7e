-- What a verb records at the end of its transaction: events of its own tenant, without keys that might be repeated and without
-- a membership to ask for. The rule of numbers and hashes is that of audit.append; the rest of it is for batches over many
-- tenants and costs more than this does. It raises where an event is not appended, so that it can travel with the commit.
create or replace function audit.record(p_batch text) returns void
language plpgsql security definer set search_path = audit, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_sequence bigint;
  v_hash bytea;
  v_received timestamptz;
  v_now timestamptz;
  v_ms bigint;
  v_line text;
  f text[];
begin
  select h.sequence, h.row_hash, greatest(h.received_at, (h.sealed_through + 1)::timestamp at time zone 'UTC')
  into v_sequence, v_hash, v_received from head h where h.tenant_id = v_tenant for update;
  if not found then
    raise exception 'tenant % has no audit chain: provision opens it before anything is recorded', v_tenant using errcode = 'AU404';
  end if;
  -- The clock is read when the head is held: what is committed later is never received earlier.
  v_now := date_trunc('milliseconds', clock_timestamp());
  v_received := greatest(v_received, v_now);
  v_ms := extract(epoch from v_received) * 1000;
  foreach v_line in array string_to_array(p_batch, e'\n') loop
    -- Fields as audit.read_batch has them.
    f := string_to_array(v_line, e'\x1f', '');
    if f[1]::uuid is distinct from v_tenant then
      raise exception 'an event may only be appended to the tenant of its transaction' using errcode = '42501';
    end if;
    if f[2] is not null or f[3] is not null or f[5] is not null then
      raise exception 'a verb''s own event has neither a key nor a subject to admit' using errcode = '22023';
    end if;
    v_sequence := v_sequence + 1;
    v_hash := sha256('\x61756469742d726f772f76310a'::bytea || v_hash || int8send(v_sequence) || int8send(v_ms) || decode(f[13], 'hex'));
    insert into event (tenant_id, sequence, received_at, event_hash, row_hash, id, type, grammar, occurred_at, causal_id,
      correlation_id, principals, event)
    values (v_tenant, v_sequence, v_received, decode(f[13], 'hex'), v_hash, f[6]::uuid, f[7], f[8], f[9]::timestamptz, f[10],
      f[11], f[12]::text[], f[14]);
  end loop;
  update head set sequence = v_sequence, row_hash = v_hash, received_at = v_received where tenant_id = v_tenant;
end
$$;
alter function audit.record(text) owner to {{job:audit_appender}};
revoke execute on function audit.record(text) from public;
grant execute on function audit.record(text) to {{app}};

-- The events of verbs of several tenants that share a transaction, in the order of the tenants. Like audit.record it raises
-- where one is not appended, so that it can travel with the commit.
create or replace function audit.record_together(p_batch text) returns void
language plpgsql set search_path = audit, pg_temp as $$
declare
  v_outcome text;
begin
  select a.outcome into v_outcome from audit.append('wait', false, p_batch) a where a.outcome <> 'appended' limit 1;
  if found then
    raise exception 'an event was not appended: %', v_outcome using errcode = 'AU404';
  end if;
end
$$;
revoke execute on function audit.record_together(text) from public;
grant execute on function audit.record_together(text) to {{app}};
