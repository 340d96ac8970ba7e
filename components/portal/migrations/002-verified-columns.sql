-- What verification holds to the log besides: from whom invitations came and when, brands, and the organization's version.
grant select (invited_by, invited_by_type, created_through, invited_at) on portal.invitation to {{job:audit_verifier}};
grant select (version, created_at) on portal.tenant to {{job:audit_verifier}};
grant select (tenant_id, brand_id, is_default, created_at, archived_at) on portal.brand to {{job:audit_verifier}};
create policy verifier on portal.brand for select to {{job:audit_verifier}} using (true);
