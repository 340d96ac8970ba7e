-- What an owner was answered for a key.
create or replace function portal.find_signup(a_owner text, a_key text)
returns table (fingerprint bytea, document text)
language sql stable security definer set search_path = portal, pg_temp as $$
  select s.fingerprint, s.document from signup s where s.owner_id = a_owner and s.idempotency_key = a_key
$$;
alter function portal.find_signup(text, text) owner to {{job:portal_directory}};
revoke execute on function portal.find_signup(text, text) from public;
grant execute on function portal.find_signup(text, text) to {{app}};

-- The tenant that an owner has under a folded name.
create or replace function portal.find_owned(a_owner text, a_folded text) returns uuid
language sql stable security definer set search_path = portal, pg_temp as $$
  select o.tenant_id from owned_name o where o.owner_id = a_owner and o.folded_name = a_folded
$$;
alter function portal.find_owned(text, text) owner to {{job:portal_directory}};
revoke execute on function portal.find_owned(text, text) from public;
grant execute on function portal.find_owned(text, text) to {{app}};

-- How many tenants an owner made in the last day.
create or replace function portal.created_today(a_owner text) returns int
language sql stable security definer set search_path = portal, pg_temp as $$
  select count(*)::int from signup s
  where s.owner_id = a_owner and s.created_tenant
    and s.created_at >= date_trunc('day', clock_timestamp() at time zone 'UTC') at time zone 'UTC'
$$;
alter function portal.created_today(text) owner to {{job:portal_directory}};
revoke execute on function portal.created_today(text) from public;
grant execute on function portal.created_today(text) to {{app}};

-- Keeps the answer to a key, and the name where the signup made a tenant.
create or replace function portal.keep_signup(
  a_owner text, a_key text, a_fingerprint bytea, a_tenant uuid, a_created boolean, a_document text, a_folded text) returns void
language sql security definer set search_path = portal, pg_temp as $$
  insert into signup (owner_id, idempotency_key, fingerprint, tenant_id, created_tenant, document)
    values (a_owner, a_key, a_fingerprint, a_tenant, a_created, a_document);
  insert into owned_name (owner_id, folded_name, tenant_id) values (a_owner, a_folded, a_tenant)
    on conflict (owner_id, folded_name) do update set tenant_id = excluded.tenant_id;
$$;
alter function portal.keep_signup(text, text, bytea, uuid, boolean, text, text) owner to {{job:portal_directory}};
revoke execute on function portal.keep_signup(text, text, bytea, uuid, boolean, text, text) from public;
grant execute on function portal.keep_signup(text, text, bytea, uuid, boolean, text, text) to {{app}};
