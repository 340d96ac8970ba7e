-- What people are shown of an action, and so approve, is written by the application, and not by whoever has its login.
create or replace trigger walled before insert or update of arguments, summary, preview, facts, drift, shown_at, effect_digest, versions, policy_version,
  preview_hash, approvals_needed, reasons, currency, amount, payee or delete on approvals.action
  for each statement execute function platform.refuse_others();
create or replace trigger walled before insert or update or delete on approvals.edit
  for each statement execute function platform.refuse_others();
-- What counts against the limits of a day is written by the application, and not by whoever has its login.
create or replace trigger walled before insert or update or delete on approvals.outflow
  for each statement execute function platform.refuse_others();
