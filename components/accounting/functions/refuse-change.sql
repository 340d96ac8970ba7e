-- What is posted stays. Statement triggers, because a row trigger never fires for an owner under forced row-level
-- security; ALWAYS, because ordinary ones sleep under session_replication_role = replica.
create or replace function accounting.refuse_change() returns trigger language plpgsql set search_path = accounting, pg_temp as $$
begin
  raise exception 'accounting.% is immutable: % is refused', tg_table_name, tg_op using errcode = '42501';
end
$$;

create or replace trigger immutable before update or delete or truncate on accounting.entry
  for each statement execute function accounting.refuse_change();
create or replace trigger immutable before update or delete or truncate on accounting.posting
  for each statement execute function accounting.refuse_change();
alter table accounting.entry enable always trigger immutable;
alter table accounting.posting enable always trigger immutable;
