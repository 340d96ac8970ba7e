-- The application, and not its login alone, writes what people see of an action, and so approve.
create or replace trigger walled before insert or update of arguments, summary, preview, facts, drift, shown_at, effect_digest, versions, policy_version,
  preview_hash, approvals_needed, reasons, currency, amount, payee or delete on approvals.action
  for each statement execute function platform.refuse_others();
create or replace trigger walled before insert or update or delete on approvals.edit
  for each statement execute function platform.refuse_others();
-- The application, and not its login alone, writes what counts against the limits of a day.
create or replace trigger walled before insert or update or delete on approvals.outflow
  for each statement execute function platform.refuse_others();
