-- That the log was verified is said by whoever verifies, and when is said by the database: the application's login could say either.
drop policy reporter on audit.verification;
create policy reporter on audit.verification for insert to {{job:audit_verifier}} with check (true);
revoke insert on audit.verification from {{app}}, {{job:audit_sealer}}, {{job:audit_verifier}};
grant insert (kind, ok, detail) on audit.verification to {{job:audit_verifier}};
