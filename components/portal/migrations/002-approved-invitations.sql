-- The action that an invitation came about by, until its first secret is made: those whom the action names make that one.
alter table portal.invitation add column action_id uuid;
grant select (action_id) on portal.invitation to {{job:audit_verifier}};
