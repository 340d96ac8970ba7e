-- The application, and not its login alone, closes and opens months and closes years. The first posting of a month inserts its row,
-- which decides nothing, and only the ledger's functions may insert.
create or replace trigger walled before update or delete on accounting.period
  for each statement execute function platform.refuse_others();
