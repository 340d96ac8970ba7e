-- For whoever verifies that what awaits people is what was asked, and that rules say what was recorded of them.
grant select (tenant_id, action_id, tool, arguments, state) on approvals.action to {{job:audit_verifier}};
grant select (tool, agent_id, currency, most, daily_most, valid_until) on approvals.standing_rule to {{job:audit_verifier}};
create policy verifier on approvals.action for select to {{job:audit_verifier}} using (true);
