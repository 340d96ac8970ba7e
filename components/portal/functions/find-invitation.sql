-- An invitation is accepted by someone who is no member yet: the secret itself is the key.
create or replace function portal.find_invitation(a_secret_hash bytea)
returns table (tenant_id uuid, invitation_id uuid)
language sql stable security definer set search_path = portal, pg_temp as $$
  select i.tenant_id, i.invitation_id from invitation i
  where i.secret_hash = a_secret_hash and i.accepted_at is null and i.revoked_at is null and i.suspended_at is null
    and i.expires_at > clock_timestamp()
$$;
alter function portal.find_invitation(bytea) owner to {{job:portal_directory}};
revoke execute on function portal.find_invitation(bytea) from public;
grant execute on function portal.find_invitation(bytea) to {{app}};
