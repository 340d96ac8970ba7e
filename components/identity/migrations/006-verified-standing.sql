-- Whoever verifies that each member stands in the audit log sees who is suspended as well.
grant select (suspended_at) on identity.member to {{job:audit_verifier}};
