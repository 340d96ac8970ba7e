-- Deletes carts and checkouts of tests of the transaction's tenant, the first ones first, and what requests for them and under the keys that
-- they were made with were answered. `o_kind` is cart or session; the id is of what was deleted. What is live stays.
create or replace function checkout.delete_tests(p_before uuid, p_until timestamptz, p_most int)
returns table (o_kind text, o_id uuid)
language plpgsql volatile security definer set search_path = checkout, pg_temp
set enable_seqscan = off as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_carts uuid[];
  v_sessions uuid[];
  v_keys uuid[];
begin
  if v_tenant is null then
    raise exception 'tests are deleted in a transaction of their tenant' using errcode = '42501';
  end if;
  -- Whoever completes a checkout locks its cart first.
  v_carts := array(
    select c.cart_id from cart c
    where c.tenant_id = v_tenant and c.mode = 'test' and c.cart_id < p_before order by c.cart_id limit p_most for update);
  v_sessions := array(
    select s.checkout_id from session s
    where s.tenant_id = v_tenant and s.mode = 'test' and s.checkout_id < p_before order by s.checkout_id limit p_most for update);
  v_keys := array(
    select s.key_id from session s where s.tenant_id = v_tenant and s.checkout_id = any (v_sessions) and s.key_id is not null
    union select c.key_id from cart c where c.tenant_id = v_tenant and c.cart_id = any (v_carts) and c.key_id is not null);

  delete from request where tenant_id = v_tenant
    and (scope_id = any (v_sessions) or scope_id = any (v_carts) or scope_id = any (v_keys) and created_at < p_until);
  delete from session where tenant_id = v_tenant and checkout_id = any (v_sessions);
  delete from cart where tenant_id = v_tenant and cart_id = any (v_carts);
  return query select 'session', unnest(v_sessions) union all select 'cart', unnest(v_carts);
end
$$;
alter function checkout.delete_tests(uuid, timestamptz, int) owner to {{job:checkouts}};
revoke execute on function checkout.delete_tests(uuid, timestamptz, int) from public;
grant execute on function checkout.delete_tests(uuid, timestamptz, int) to {{app}};
