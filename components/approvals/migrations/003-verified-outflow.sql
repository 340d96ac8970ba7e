-- For whoever verifies that what counts against limits is what entries took.
create policy verifier on approvals.outflow for select to {{job:audit_verifier}} using (true);
grant select on approvals.outflow to {{job:audit_verifier}};
