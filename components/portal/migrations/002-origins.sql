-- Who granted or invited is a principal, of a type as well.
alter table portal.agent_grant add column granted_by_type text;
alter table portal.invitation add column invited_by_type text;
