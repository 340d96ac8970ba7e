-- For whoever verifies that tax forms are reported by what the log tells.
create policy verifier on accounting.taxpayer for select to {{job:audit_verifier}} using (true);
grant select on accounting.taxpayer to {{job:audit_verifier}};
