-- Months are closed and opened, and years closed, by the application, and not by whoever has its login. That a first posting makes a month
-- is no decision, and nobody but the ledger's functions inserts one.
create or replace trigger walled before update or delete on accounting.period
  for each statement execute function platform.refuse_others();
