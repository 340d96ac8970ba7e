-- For whoever verifies that what decides in a tenant stands in the audit log. No address and no secret.
grant usage on schema portal to {{job:audit_verifier}};
grant select (tenant_id, invitation_id, role, expires_at, accepted_at, revoked_at, suspended_at) on portal.invitation to {{job:audit_verifier}};
grant select (tenant_id, agent_id, pillars, tiers, tools, revoked_at, suspended_at) on portal.agent_grant to {{job:audit_verifier}};
grant select on portal.tool_policy, portal.billing to {{job:audit_verifier}};
grant select (tenant_id, default_currency, fiscal_year_start_month) on portal.tenant to {{job:audit_verifier}};
do $$
declare name text;
begin
  foreach name in array array['invitation', 'agent_grant', 'tool_policy', 'billing', 'tenant'] loop
    execute format('create policy verifier on portal.%I for select to {{job:audit_verifier}} using (true)', name);
  end loop;
end $$;
