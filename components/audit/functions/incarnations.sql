-- Remembers an incarnation that the archive knows.
create or replace function audit.record_incarnation(p_number int, p_day date) returns void
language sql security definer set search_path = audit, pg_temp as $$
  insert into audit.incarnation (number, day) select p_number, p_day where p_number > 1 on conflict do nothing
$$;
alter function audit.record_incarnation(int, date) owner to {{job:audit_sealer}};
revoke execute on function audit.record_incarnation(int, date) from public;
grant execute on function audit.record_incarnation(int, date) to {{app}};

-- A chain with fewer rows than its archive. Answers its new incarnation: the same for all chains that are found so after
-- one restore, one more than the highest in the archive (p_archived_incarnation). noted: nobody
-- else had recorded it.
create or replace function audit.record_restored(p_tenant uuid, p_day date, p_sequence bigint, p_row_hash bytea,
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
alter function audit.record_restored(uuid, date, bigint, bytea, bigint, int) owner to {{job:audit_sealer}};
revoke execute on function audit.record_restored(uuid, date, bigint, bytea, bigint, int) from public;
grant execute on function audit.record_restored(uuid, date, bigint, bytea, bigint, int) to {{app}};
