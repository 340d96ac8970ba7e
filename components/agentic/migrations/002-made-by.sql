-- Who issued a credential and through which client; null of rows from before. While it is suspended it opens no door.
alter table agentic.credential add column created_by text, add column created_by_type text, add column created_through text,
  add column suspended_at timestamptz;
grant update (created_by, created_by_type, created_through, suspended_at) on agentic.credential to {{app}};
grant select (suspended_at) on agentic.credential to {{job:audit_verifier}};
