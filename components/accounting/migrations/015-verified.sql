-- For whoever verifies that entries and closed months stand in the audit log.
grant usage on schema accounting to {{job:audit_verifier}};
grant select (tenant_id, entry_id, event_id, number, posting_date, kind, currency) on accounting.entry to {{job:audit_verifier}};
grant select (tenant_id, month, status, year_closed) on accounting.period to {{job:audit_verifier}};
create policy verifier on accounting.entry for select to {{job:audit_verifier}} using (true);
create policy verifier on accounting.period for select to {{job:audit_verifier}} using (true);
