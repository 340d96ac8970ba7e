-- Takes the person out of orders of the transaction's tenant, which the application itself cannot: orders of these contacts, of these e-mail
-- addresses in lower case, and these. What was bought stays, what it came to, and the country that it was taxed for. Answers those that it
-- erased, each with the address that it had. Whoever changes an order has locked its row, so this waits for them.
create or replace function orders.erase(p_contacts uuid[], p_emails text[], p_orders uuid[])
returns table (o_order uuid, o_mode text, o_checkout uuid, o_email text)
language plpgsql volatile security definer set search_path = orders, pg_temp
set enable_seqscan = off as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_orders uuid[];
begin
  if v_tenant is null then
    raise exception 'orders are erased in a transaction of their tenant' using errcode = '42501';
  end if;
  v_orders := array(
    select o.order_id from sales_order o
    where o.tenant_id = v_tenant and o.erased_at is null
      and (o.contact_id = any (p_contacts) or o.email_key = any (p_emails) or o.order_id = any (p_orders))
    order by o.order_id for update);

  delete from tag where tenant_id = v_tenant and order_id = any (v_orders);
  update fulfilment set tracking_number = null, tracking_url = null, version = version + 1, updated_at = clock_timestamp()
  where tenant_id = v_tenant and order_id = any (v_orders);
  update return set note = null where tenant_id = v_tenant and order_id = any (v_orders) and note is not null;
  update refund set note = null where tenant_id = v_tenant and order_id = any (v_orders) and note is not null;
  update payment set action = null where tenant_id = v_tenant and order_id = any (v_orders) and action is not null;
  update payment_operation m set reference = null
  from payment p
  where p.tenant_id = v_tenant and p.order_id = any (v_orders)
    and m.tenant_id = v_tenant and m.payment_id = p.payment_id and m.reference is not null;

  return query
    with before as materialized (
      select o.order_id, o.email from sales_order o where o.tenant_id = v_tenant and o.order_id = any (v_orders))
    update sales_order o set email = null, name = null, phone = null, vat_number = null, shipping_address = null, billing_address = null,
      buyer_note = null, note = null, salt = gen_random_uuid(), erased_at = clock_timestamp()
    from before b
    where o.tenant_id = v_tenant and o.order_id = b.order_id
    returning o.order_id, o.mode, o.checkout_id, b.email;
end
$$;
alter function orders.erase(uuid[], text[], uuid[]) owner to {{job:order_erasure}};
revoke execute on function orders.erase(uuid[], text[], uuid[]) from public;
grant execute on function orders.erase(uuid[], text[], uuid[]) to {{app}};
