-- For whoever verifies that each member stands in the audit log.
grant usage on schema identity to {{job:audit_verifier}};
grant select (tenant_id, principal_type, principal_id, role) on identity.member to {{job:audit_verifier}};
create policy verifier on identity.member for select to {{job:audit_verifier}} using (true);
