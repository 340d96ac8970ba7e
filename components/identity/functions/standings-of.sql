-- What `identity.enter` answers, for many at once and without opening a tenant: the audit log asks for the standing of
-- everybody in a batch that spans tenants, in the transaction that appends. The three arrays run parallel, as does the answer.
create or replace function identity.standings_of(tenants uuid[], types text[], ids text[]) returns text[]
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
begin
  return (
    select array_agg(
      case when asked.type = 'service' and starts_with(asked.id, 'service:')
        then (select 'platform' where exists (select from identity.member m where m.tenant_id = asked.tenant))
        else (select m.role from identity.member m
              where m.tenant_id = asked.tenant and m.principal_type = asked.type and m.principal_id = asked.id
                and m.suspended_at is null)
      end)
    from unnest(tenants, types, ids) as asked (tenant, type, id));
end $$;
alter function identity.standings_of(uuid[], text[], text[]) owner to {{job:directory}};
revoke execute on function identity.standings_of(uuid[], text[], text[]) from public;
grant execute on function identity.standings_of(uuid[], text[], text[]) to {{job:audit_appender}};
