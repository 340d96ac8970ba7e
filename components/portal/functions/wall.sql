-- The application, and not its login alone, writes invitations, what agents may do, and what a tenant is billed.
create or replace trigger walled before insert or delete or update on portal.tenant
  for each statement execute function platform.refuse_others();
create or replace trigger walled before insert or delete or update on portal.billing
  for each statement execute function platform.refuse_others();
create or replace trigger walled before insert or delete or update on portal.billing_account
  for each statement execute function platform.refuse_others();
create or replace trigger walled before insert or delete or update on portal.billing_dispute
  for each statement execute function platform.refuse_others();
create or replace trigger walled before insert or delete or update on portal.agent_grant
  for each statement execute function platform.refuse_others();
create or replace trigger walled before insert or delete or update on portal.tool_policy
  for each statement execute function platform.refuse_others();
create or replace trigger walled before insert or delete or update on portal.invitation
  for each statement execute function platform.refuse_others();
