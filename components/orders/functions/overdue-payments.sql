-- Payments of orders that have not come by their day, of all tenants, the longest due first.
create or replace function orders.overdue_payments(p_most int) returns table (o_tenant uuid, o_payment uuid)
language sql stable security definer set search_path = orders, pg_temp
set enable_seqscan = off as $$
  select tenant_id, payment_id from payment
  where state = 'awaiting' and look_at <= statement_timestamp() and order_id is not null order by look_at limit p_most
$$;
alter function orders.overdue_payments(int) owner to {{job:payment_requests}};
revoke execute on function orders.overdue_payments(int) from public;
grant execute on function orders.overdue_payments(int) to {{app}};
