-- Through which client a grant or an invitation was made. What is suspended lets nobody in until a person restores it.
alter table portal.agent_grant add column created_through text, add column suspended_at timestamptz;
alter table portal.invitation add column created_through text, add column suspended_at timestamptz;

create or replace function portal.find_invitation(a_secret_hash bytea)
returns table (tenant_id uuid, invitation_id uuid)
language sql stable security definer set search_path = portal, pg_temp as $$
  select i.tenant_id, i.invitation_id from invitation i
  where i.secret_hash = a_secret_hash and i.accepted_at is null and i.revoked_at is null and i.suspended_at is null
    and i.expires_at > clock_timestamp()
$$;
alter function portal.find_invitation(bytea) owner to {{job:portal_directory}};
