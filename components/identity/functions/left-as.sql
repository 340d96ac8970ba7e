-- How somebody who was a member lost their access; null where they have it, or never were one. Asked of who made what still gives data or
-- entry to somebody outside, in the tenant that is open.
create or replace function identity.left_as(a_tenant uuid, a_type text, an_id text) returns text
language sql stable set search_path = pg_catalog, pg_temp as $$
  select nullif(coalesce(
    (select case when m.suspended_at is null then '' else 'suspended' end from identity.member m
     where m.tenant_id = a_tenant and m.principal_type = a_type and m.principal_id = an_id),
    (select 'removed' from identity.former_member f
     where f.tenant_id = a_tenant and f.principal_type = a_type and f.principal_id = an_id limit 1), ''), '')
$$;
revoke execute on function identity.left_as(uuid, text, text) from public;
grant execute on function identity.left_as(uuid, text, text) to {{app}};
