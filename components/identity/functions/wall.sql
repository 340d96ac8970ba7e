-- Who is a member is written by the application, and not by whoever has its login.
create or replace trigger walled before insert or update or delete on identity.member
  for each statement execute function platform.refuse_others();
create or replace trigger walled before insert or update or delete on identity.former_member
  for each statement execute function platform.refuse_others();
