-- Which installation this is, and in which database it is: another one where a backup was restored or a copy was made by
-- dump, template or rename; the same one where a standby took over.
create or replace function audit.identity() returns table (installation uuid, database text)
language plpgsql stable security definer set search_path = audit, pg_temp as $$
declare
  v_cluster text;
begin
  begin
    select c.system_identifier::text into v_cluster from pg_catalog.pg_control_system() c;
  exception when insufficient_privilege then
    v_cluster := 'unknown';
  end;
  return query select i.id, v_cluster || '-' || d.oid
    from audit.installation i, pg_catalog.pg_database d where d.datname = current_database();
end
$$;
alter function audit.identity() owner to {{job:audit_sealer}};
revoke execute on function audit.identity() from public;
grant execute on function audit.identity() to {{app}};
