-- What counts against the limits of a day is written by the application, and not by whoever has its login.
create trigger walled before insert or update or delete on approvals.outflow
  for each statement execute function platform.refuse_others();
