-- Checkouts of all tenants that are completing and have not moved for so long: somebody is to look what became of their payments. Those that wait
-- for a step of their buyer are left to buyers and providers until their time is over.
create or replace function checkout.unfinished(p_rest interval, p_most int)
returns table (o_tenant uuid, o_checkout uuid)
language sql stable security definer set search_path = checkout, pg_temp as $$
  select tenant_id, checkout_id from session
  where status = 'completing' and updated_at < statement_timestamp() - p_rest
    and (payment ->> 'status' is distinct from 'requires_action' or expires_at <= statement_timestamp())
  order by updated_at limit p_most
$$;
alter function checkout.unfinished(interval, int) owner to {{job:checkouts}};
revoke execute on function checkout.unfinished(interval, int) from public;
grant execute on function checkout.unfinished(interval, int) to {{app}};
