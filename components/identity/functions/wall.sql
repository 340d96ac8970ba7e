-- The application, and not its login alone, writes who is a member.
create or replace trigger walled before insert or update or delete on identity.member
  for each statement execute function platform.refuse_others();
create or replace trigger walled before insert or update or delete on identity.former_member
  for each statement execute function platform.refuse_others();
