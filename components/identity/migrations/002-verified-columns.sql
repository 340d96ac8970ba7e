-- What verification holds to the log besides: from whom members and their roles came, and when they came and left.
grant select (added_at, created_through, created_by, created_by_type, role_through, role_by, role_by_type)
  on identity.member to {{job:audit_verifier}};
grant select (tenant_id, principal_type, principal_id, removed_at) on identity.former_member to {{job:audit_verifier}};
create policy verifier on identity.former_member for select to {{job:audit_verifier}} using (true);
