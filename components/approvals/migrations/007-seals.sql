-- The database's login alone can write these rows and never what the application, which holds the key, counts: a vote, a policy or
-- a rule without its seal decides nothing.
alter table approvals.vote add column seal text not null default '' check (length(seal) <= 64);
alter table approvals.policy add column seal text not null default '' check (length(seal) <= 64);
alter table approvals.standing_rule add column seal text not null default '' check (length(seal) <= 64);
grant update (seal) on approvals.policy to {{app}};

-- For whoever verifies that each stands in the audit log.
grant usage on schema approvals to {{job:audit_verifier}};
grant select (tenant_id, action_id, preview_hash, approver_id) on approvals.vote to {{job:audit_verifier}};
grant select (tenant_id, version, document) on approvals.policy to {{job:audit_verifier}};
grant select (tenant_id, rule_id, revoked_at) on approvals.standing_rule to {{job:audit_verifier}};
create policy verifier on approvals.vote for select to {{job:audit_verifier}} using (true);
create policy verifier on approvals.policy for select to {{job:audit_verifier}} using (true);
create policy verifier on approvals.standing_rule for select to {{job:audit_verifier}} using (true);
