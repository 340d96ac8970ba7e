-- What verification holds to the log besides: who asked and decided, when, and what was bound.
grant select (last_event_id, settled_at, error_code, decided_by, cause, preview_hash, asked_digest, expires_at, chain, subject_type, subject_id,
    agent_id, client_id, requester, correlation_id, requested_at, rule_id, decided_at, effect_digest, versions, policy_version, approvals_needed,
    summary, preview, result, payee)
  on approvals.action to {{job:audit_verifier}};
grant select (voted_at) on approvals.vote to {{job:audit_verifier}};
grant select (changed_at) on approvals.policy to {{job:audit_verifier}};
grant select (created_by, created_at, revoked_by, revoked_at) on approvals.standing_rule to {{job:audit_verifier}};
grant select (tenant_id, action_id, number, editor_id, edited_at) on approvals.edit to {{job:audit_verifier}};
create policy verifier on approvals.edit for select to {{job:audit_verifier}} using (true);
