-- Deletes orders of tests of the transaction's tenant with all that became of them, and payments of tests that no order came of, which the
-- application itself cannot. Whatever ids it is given, what is live stays. Answers the orders that it deleted.
create or replace function orders.delete_tests(p_orders uuid[], p_payments uuid[])
returns table (o_order uuid)
language plpgsql volatile security definer set search_path = orders, pg_temp
set enable_seqscan = off as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_orders uuid[];
  v_payments uuid[];
begin
  if v_tenant is null then
    raise exception 'tests are deleted in a transaction of their tenant' using errcode = '42501';
  end if;
  v_orders := array(
    select o.order_id from sales_order o
    where o.tenant_id = v_tenant and o.mode = 'test' and o.order_id = any (p_orders)
    order by o.order_id for update);
  v_payments := array(
    select p.payment_id from payment p
    where p.tenant_id = v_tenant and p.mode = 'test' and (p.order_id = any (v_orders) or p.payment_id = any (p_payments) and p.order_id is null)
    order by p.payment_id for update);

  delete from letter where tenant_id = v_tenant and about = any (
    select kind || ' ' || id from unnest(v_orders) id cross join unnest(array['placed', 'cancelled']) kind
    union all select concat_ws(' ', kind, f.order_id, f.fulfilment_id) from fulfilment f cross join unnest(array['shipped', 'delivered']) kind
    where f.tenant_id = v_tenant and f.order_id = any (v_orders)
    union all select concat_ws(' ', 'refunded', r.order_id, r.refund_id) from refund r
    where r.tenant_id = v_tenant and r.order_id = any (v_orders)
    union all select concat_ws(' ', 'edited', d.order_id, d.edit_id) from edit d
    where d.tenant_id = v_tenant and d.order_id = any (v_orders));
  delete from payment_request where tenant_id = v_tenant and payment_id = any (v_payments);
  delete from payment_operation where tenant_id = v_tenant and payment_id = any (v_payments);
  delete from payment where tenant_id = v_tenant and payment_id = any (v_payments);
  delete from refund_line where tenant_id = v_tenant and order_id = any (v_orders);
  delete from refund where tenant_id = v_tenant and order_id = any (v_orders);
  delete from return_line where tenant_id = v_tenant and order_id = any (v_orders);
  delete from return where tenant_id = v_tenant and order_id = any (v_orders);
  delete from fulfilment_line where tenant_id = v_tenant and order_id = any (v_orders);
  delete from fulfilment where tenant_id = v_tenant and order_id = any (v_orders);
  delete from tag where tenant_id = v_tenant and order_id = any (v_orders);
  delete from edit where tenant_id = v_tenant and order_id = any (v_orders);
  delete from version where tenant_id = v_tenant and order_id = any (v_orders);
  delete from line where tenant_id = v_tenant and order_id = any (v_orders);
  return query delete from sales_order o where o.tenant_id = v_tenant and o.order_id = any (v_orders) returning o.order_id;
end
$$;
alter function orders.delete_tests(uuid[], uuid[]) owner to {{job:order_erasure}};
revoke execute on function orders.delete_tests(uuid[], uuid[]) from public;
grant execute on function orders.delete_tests(uuid[], uuid[]) to {{app}};
