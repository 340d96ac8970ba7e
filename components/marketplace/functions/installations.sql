-- Whether a state comes back for the first time. What has ended is forgotten.
create or replace function marketplace.use_state(a_digest bytea, until timestamptz) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from marketplace.used_state u where u.expires_at < clock_timestamp();
  insert into marketplace.used_state (tenant_id, state_sha256, expires_at)
    values ('00000000-0000-0000-0000-000000000000', a_digest, until) on conflict do nothing;
  return found;
end
$$;
alter function marketplace.use_state(bytea, timestamptz) owner to {{job:marketplace}};
revoke execute on function marketplace.use_state(bytea, timestamptz) from public;
grant execute on function marketplace.use_state(bytea, timestamptz) to {{app}};

-- Keeps a token until an organization claims it. What nobody claimed in time is forgotten, and so is an earlier one of the same shop.
create or replace function marketplace.keep_installation(a_digest bytea, a_shop text, a_sealed bytea, lasting interval, a_tenant uuid) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from marketplace.installation i where i.expires_at < clock_timestamp() or i.shop = a_shop;
  insert into marketplace.installation (tenant_id, code_sha256, shop, sealed, expires_at, for_tenant)
    values ('00000000-0000-0000-0000-000000000000', a_digest, a_shop, a_sealed, clock_timestamp() + lasting, a_tenant);
end
$$;
alter function marketplace.keep_installation(bytea, text, bytea, interval, uuid) owner to {{job:marketplace}};
revoke execute on function marketplace.keep_installation(bytea, text, bytea, interval, uuid) from public;
grant execute on function marketplace.keep_installation(bytea, text, bytea, interval, uuid) to {{app}};

-- Makes it the organization's that shows its code, if it is nobody's yet.
create or replace function marketplace.bind_installation(a_digest bytea, a_tenant uuid) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update marketplace.installation i set for_tenant = a_tenant
    where i.tenant_id = '00000000-0000-0000-0000-000000000000' and i.code_sha256 = a_digest and i.for_tenant is null
$$;
alter function marketplace.bind_installation(bytea, uuid) owner to {{job:marketplace}};
revoke execute on function marketplace.bind_installation(bytea, uuid) from public;
grant execute on function marketplace.bind_installation(bytea, uuid) to {{app}};

-- Takes what is kept under a code for the organization whose it is, once.
create or replace function marketplace.claim_installation(a_digest bytea, a_tenant uuid) returns table (shop text, sealed bytea)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  delete from marketplace.installation i
    where i.tenant_id = '00000000-0000-0000-0000-000000000000' and i.code_sha256 = a_digest and i.for_tenant = a_tenant
      and i.expires_at > clock_timestamp()
    returning i.shop, i.sealed
$$;
alter function marketplace.claim_installation(bytea, uuid) owner to {{job:marketplace}};
revoke execute on function marketplace.claim_installation(bytea, uuid) from public;
grant execute on function marketplace.claim_installation(bytea, uuid) to {{app}};

-- As processes of the version before call them: an installation that is bound is taken by nobody else through these either.
create or replace function marketplace.keep_installation(a_digest bytea, a_shop text, a_sealed bytea, lasting interval) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  select marketplace.keep_installation(a_digest, a_shop, a_sealed, lasting, null)
$$;
alter function marketplace.keep_installation(bytea, text, bytea, interval) owner to {{job:marketplace}};
revoke execute on function marketplace.keep_installation(bytea, text, bytea, interval) from public;
grant execute on function marketplace.keep_installation(bytea, text, bytea, interval) to {{app}};

create or replace function marketplace.claim_installation(a_digest bytea) returns table (shop text, sealed bytea)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  delete from marketplace.installation i
    where i.tenant_id = '00000000-0000-0000-0000-000000000000' and i.code_sha256 = a_digest and i.expires_at > clock_timestamp()
      and (i.for_tenant is null or i.for_tenant::text = current_setting('app.tenant_id', true))
    returning i.shop, i.sealed
$$;
alter function marketplace.claim_installation(bytea) owner to {{job:marketplace}};
revoke execute on function marketplace.claim_installation(bytea) from public;
grant execute on function marketplace.claim_installation(bytea) to {{app}};
