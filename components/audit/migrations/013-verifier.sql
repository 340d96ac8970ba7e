-- Verification compares what was promised to tenants with the events that tell of it: holds, and keys that were destroyed. Of a
-- key it sees whether it lives, never what is wrapped.
create policy verifier on audit.legal_hold for select to {{job:audit_verifier}} using (true);
create policy verifier on audit.subject_key for select to {{job:audit_verifier}} using (true);
grant select on audit.legal_hold to {{job:audit_verifier}};
grant select (tenant_id, key_id, erased_at) on audit.subject_key to {{job:audit_verifier}};
