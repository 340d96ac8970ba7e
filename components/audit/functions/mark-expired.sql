-- Moves the mark of what has expired; it never goes back.
create or replace function audit.mark_expired(p_through date) returns void
language plpgsql security definer set search_path = audit, pg_temp as $$
begin
  perform audit.require_no_hold();
  insert into audit.expiry as e (tenant_id, through) values (audit.own_tenant(), p_through)
  on conflict (tenant_id) do update set through = greatest(e.through, excluded.through);
end
$$;
alter function audit.mark_expired(date) owner to {{job:audit_personal}};
revoke execute on function audit.mark_expired(date) from public;
grant execute on function audit.mark_expired(date) to {{app}};
