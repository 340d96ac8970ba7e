-- The application, and not its login alone, decides what is posted without anybody being asked.
create or replace trigger walled before insert or update or delete on bookkeeping.profile
  for each statement execute function platform.refuse_others();
