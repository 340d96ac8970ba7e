-- What providers are to be asked for now, of all tenants, the longest due first.
create or replace function orders.due_requests(p_most int) returns table (o_tenant uuid, o_request uuid)
language sql stable security definer set search_path = orders, pg_temp
set enable_seqscan = off as $$
  select tenant_id, request_id from payment_request
  where state = 'asked' and next_at <= statement_timestamp() order by next_at limit p_most
$$;
alter function orders.due_requests(int) owner to {{job:payment_requests}};
revoke execute on function orders.due_requests(int) from public;
grant execute on function orders.due_requests(int) to {{app}};
