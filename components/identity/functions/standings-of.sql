-- What `identity.enter` answers, for many at once and without opening a tenant: the audit log asks for the standing of
-- everybody in a batch that spans tenants, in the transaction that appends. The three arrays run parallel, as does the answer.
-- Behind the type, after a space, may stand the access version under which it was decided what the subject may do.
create or replace function identity.standings_of(tenants uuid[], types text[], ids text[]) returns text[]
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
begin
  return (
    select array_agg(case
        when standing is not null and decided <> '' and decided::bigint <> coalesce(
            (select v.version from identity.access_version v where v.tenant_id = tenant), 0)
        then 'changed' else standing end)
    from unnest(tenants, types, ids) as asked (tenant, kind, id),
      lateral (select split_part(kind, ' ', 1) as type, split_part(kind, ' ', 2) as decided) as named,
      -- OFFSET keeps the planner from asking several times.
      lateral (select case
        when type = 'service' and starts_with(id, 'service:')
        then (select 'platform' where exists (select from identity.member m where m.tenant_id = tenant))
        else (select m.role from identity.member m
              where m.tenant_id = tenant and m.principal_type = type and m.principal_id = id and m.suspended_at is null)
      end as standing offset 0) as held);
end $$;
alter function identity.standings_of(uuid[], text[], text[]) owner to {{job:directory}};
revoke execute on function identity.standings_of(uuid[], text[], text[]) from public;
grant execute on function identity.standings_of(uuid[], text[], text[]) to {{job:audit_appender}};
