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

do $$
declare
  relation text;
begin
  foreach relation in array array['legal_hold', 'expiry'] loop
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

-- Verification does not miss rows that expired.
create policy verifier on audit.expiry for select to {{job:audit_verifier}} using (true);
grant select on audit.expiry to {{job:audit_verifier}};

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

grant create on schema audit to {{job:audit_personal}};
do $$
declare
  routine text;
begin
  foreach routine in array array['require_no_hold()', 'place_hold(uuid, text, text)', 'release_hold(text)', 'mark_expired(date)'] loop
    execute format('alter function audit.%s owner to {{job:audit_personal}}', routine);
    execute format('revoke all on function audit.%s from public', routine);
    execute format('grant execute on function audit.%s to {{app}}, {{job:audit_personal}}', routine);
  end loop;
end
$$;
revoke create on schema audit from {{job:audit_personal}};
