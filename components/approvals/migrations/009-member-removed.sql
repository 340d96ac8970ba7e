-- What a member had proposed who was removed waits no longer.
do $$
declare old text;
begin
  select conname into strict old from pg_constraint
  where conrelid = 'approvals.action'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%grant_missing%';
  execute format('alter table approvals.action drop constraint %I', old);
end $$;
alter table approvals.action add constraint cause_of_withdrawal check (cause is null or (state = 'withdrawn'
  and cause in ('client_shut_out', 'grant_narrowed', 'grant_missing', 'member_removed')));
