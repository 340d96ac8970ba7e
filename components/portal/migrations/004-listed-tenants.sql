-- For the list of tenants that an operator asks for, who needs the owner's login for it: since when there are, and their tiers.
create policy directory on portal.billing for select to {{job:portal_directory}} using (true);
grant select (created_at) on portal.tenant to {{job:portal_directory}};
grant select (tenant_id, tier, status, trial_ends_at, past_due_since) on portal.billing to {{job:portal_directory}};
