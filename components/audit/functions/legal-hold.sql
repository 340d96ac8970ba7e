-- Raises if there is a hold; no hold is placed until the transaction ends.
create or replace function audit.require_no_hold() returns void
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
alter function audit.require_no_hold() owner to {{job:audit_personal}};
revoke execute on function audit.require_no_hold() from public;
grant execute on function audit.require_no_hold() to {{app}};

-- Places a hold; answers whether there was none before. Waits for erasures and expiries that are under way.
create or replace function audit.place_hold(p_hold uuid, p_reason text, p_by text) returns boolean
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
alter function audit.place_hold(uuid, text, text) owner to {{job:audit_personal}};
revoke execute on function audit.place_hold(uuid, text, text) from public;
grant execute on function audit.place_hold(uuid, text, text) to {{app}};

-- Releases the standing hold and answers its id; nothing where there is none.
create or replace function audit.release_hold(p_by text) returns setof uuid
language sql security definer set search_path = audit, pg_temp as $$
  update audit.legal_hold set released_by = p_by, released_at = clock_timestamp()
  where tenant_id = audit.own_tenant() and released_at is null returning hold_id
$$;
alter function audit.release_hold(text) owner to {{job:audit_personal}};
revoke execute on function audit.release_hold(text) from public;
grant execute on function audit.release_hold(text) to {{app}};
