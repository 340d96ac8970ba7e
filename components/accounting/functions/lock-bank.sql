-- Callers that explain lines of an account, or reconcile it, take turns; the application takes the same lock.
create or replace function accounting.lock_bank(p_account uuid) returns void
language sql set search_path = accounting, pg_temp as $$ select pg_advisory_xact_lock(hashtextextended(p_account::text, 7)) $$;
alter function accounting.lock_bank(uuid) owner to {{job:ledger}};
