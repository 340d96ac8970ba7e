-- Statement triggers, because with forced row-level security a row trigger never fires for the owner, who would see
-- "0 rows"; ALWAYS, because ordinary triggers do not fire under session_replication_role = replica.
create or replace function audit.refuse_change() returns trigger language plpgsql set search_path = audit, pg_temp as $$
begin
  raise exception 'audit.% is append-only: % is refused', tg_table_name, tg_op using errcode = '42501';
end
$$;
revoke execute on function audit.refuse_change() from public;

create or replace trigger append_only before delete or truncate on audit.head
  for each statement execute function audit.refuse_change();
create or replace trigger moves_with_chain before update on audit.head
  for each statement when ('"' || current_user || '"' not in ('{{job:audit_appender}}', '{{job:audit_sealer}}'))
  execute function audit.refuse_change();
create or replace trigger append_only before update or delete or truncate on audit.event
  for each statement execute function audit.refuse_change();
create or replace trigger append_only before update or delete or truncate on audit.idempotency
  for each statement execute function audit.refuse_change();
create or replace trigger append_only before delete or update or truncate on audit.sealed_day
  for each statement execute function audit.refuse_change();
create or replace trigger append_only before delete or update or truncate on audit.restored_chain
  for each statement execute function audit.refuse_change();
create or replace trigger append_only before delete or update or truncate on audit.incarnation
  for each statement execute function audit.refuse_change();
create or replace trigger append_only before delete or update or truncate on audit.platform_day
  for each statement execute function audit.refuse_change();
create or replace trigger append_only before delete or update or truncate on audit.signing_key
  for each statement execute function audit.refuse_change();
create or replace trigger append_only before delete or update or truncate on audit.verification
  for each statement execute function audit.refuse_change();
create or replace trigger changed_by_its_verbs before update on audit.subject_key
  for each statement when ('"' || current_user || '"' <> '{{job:audit_personal}}') execute function audit.refuse_change();
create or replace trigger kept before delete or truncate on audit.subject_key
  for each statement execute function audit.refuse_change();
create or replace trigger append_only before update or delete or truncate on audit.principal_block
  for each statement execute function audit.refuse_change();
create or replace trigger changed_by_its_verbs before update on audit.legal_hold
  for each statement when ('"' || current_user || '"' <> '{{job:audit_personal}}') execute function audit.refuse_change();
create or replace trigger kept before delete or truncate on audit.legal_hold
  for each statement execute function audit.refuse_change();
create or replace trigger changed_by_its_verbs before update on audit.expiry
  for each statement when ('"' || current_user || '"' <> '{{job:audit_personal}}') execute function audit.refuse_change();
create or replace trigger kept before delete or truncate on audit.expiry
  for each statement execute function audit.refuse_change();
create or replace trigger append_only before delete or update or truncate on audit.installation
  for each statement execute function audit.refuse_change();
create or replace trigger append_only before delete or update or truncate on audit.hour
  for each statement execute function audit.refuse_change();
alter table audit.head enable always trigger append_only;
alter table audit.head enable always trigger moves_with_chain;
alter table audit.event enable always trigger append_only;
alter table audit.idempotency enable always trigger append_only;
alter table audit.sealed_day enable always trigger append_only;
alter table audit.restored_chain enable always trigger append_only;
alter table audit.incarnation enable always trigger append_only;
alter table audit.platform_day enable always trigger append_only;
alter table audit.signing_key enable always trigger append_only;
alter table audit.verification enable always trigger append_only;
alter table audit.subject_key enable always trigger changed_by_its_verbs;
alter table audit.subject_key enable always trigger kept;
alter table audit.principal_block enable always trigger append_only;
alter table audit.legal_hold enable always trigger changed_by_its_verbs;
alter table audit.legal_hold enable always trigger kept;
alter table audit.expiry enable always trigger changed_by_its_verbs;
alter table audit.expiry enable always trigger kept;
alter table audit.installation enable always trigger append_only;
alter table audit.hour enable always trigger append_only;
