-- Statement triggers, because with forced row-level security a row trigger never fires for the owner, who would be
-- told "0 rows"; ALWAYS, because ordinary triggers sleep under session_replication_role = replica.
create function audit.refuse_change() returns trigger language plpgsql set search_path = audit, pg_temp as $$
begin
  raise exception 'audit.% is append-only: % is refused', tg_table_name, tg_op using errcode = '42501';
end
$$;

create trigger append_only before update or delete or truncate on audit.event
  for each statement execute function audit.refuse_change();
create trigger append_only before update or delete or truncate on audit.idempotency
  for each statement execute function audit.refuse_change();
create trigger append_only before delete or truncate on audit.head
  for each statement execute function audit.refuse_change();
-- A head moves with its chain only. Role names come in double quotes, whatever they are.
create trigger moves_with_chain before update on audit.head
  for each statement when ('"' || current_user || '"' <> '{{job:audit_appender}}')
  execute function audit.refuse_change();

alter table audit.event enable always trigger append_only;
alter table audit.idempotency enable always trigger append_only;
alter table audit.head enable always trigger append_only;
alter table audit.head enable always trigger moves_with_chain;
