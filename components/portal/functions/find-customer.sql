-- The tenant that is a customer of the payment provider, in its live or its test mode.
create or replace function portal.find_customer(a_customer text, is_live boolean) returns uuid
language sql stable security definer set search_path = portal, pg_temp as $$
  select a.tenant_id from billing_account a where a.customer_id = a_customer and a.live = is_live
$$;
alter function portal.find_customer(text, boolean) owner to {{job:portal_directory}};
revoke execute on function portal.find_customer(text, boolean) from public;
grant execute on function portal.find_customer(text, boolean) to {{app}};
