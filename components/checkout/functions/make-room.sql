-- Deletes of the transaction's tenant, which holds more than it may, what was left longest and had ended first, so many rows of each kind at a time:
-- answers under idempotency keys, carts, and checkouts without an order. What anybody touched within the hour stays, whoever asks, and so does what is
-- being paid or was bought; of the answers of one cart or checkout the newest 20 do.
create or replace function checkout.make_room(p_most int) returns int
language plpgsql volatile security definer set search_path = checkout, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_lately timestamptz := statement_timestamp() - interval '1 hour';
  v_rows int;
  v_gone int;
begin
  if v_tenant is null then
    raise exception 'room is made in a transaction of its tenant' using errcode = '42501';
  end if;
  -- Nobody is waited for: whoever completes a checkout holds its cart.
  delete from request r using (select q.scope_id, q.request_sha256 from request q
    where q.tenant_id = v_tenant and (q.scope_id, q.request_sha256) in (
        select n.scope_id, n.request_sha256 from (
          select scope_id, request_sha256, about_id, created_at, row_number() over (partition by scope_id order by created_at desc) as nth
          from request where tenant_id = v_tenant) n
        where n.created_at < v_lately or n.about_id is null and n.nth > 20)
      and not exists (select from session s where s.tenant_id = v_tenant and s.checkout_id = coalesce(q.about_id, q.scope_id)
        and s.status in ('completing', 'completed'))
    limit p_most for update of q skip locked) due
  where r.tenant_id = v_tenant and r.scope_id = due.scope_id and r.request_sha256 = due.request_sha256;
  get diagnostics v_gone = row_count;

  delete from cart c using (select q.cart_id from cart q
    where q.tenant_id = v_tenant and q.updated_at < v_lately
      and not exists (select from session s where s.tenant_id = v_tenant and s.checkout_id = q.checkout_id
        and (s.status = 'completing' or s.status in ('open', 'ready') and s.updated_at >= v_lately))
    order by q.status = 'open' and q.expires_at > statement_timestamp(), q.updated_at limit p_most for update skip locked) due
  where c.tenant_id = v_tenant and c.cart_id = due.cart_id;
  get diagnostics v_rows = row_count;
  v_gone := v_gone + v_rows;

  -- Of a past that is told now, when the row came counts; payments that failed are counted for an hour, and a provider may tell of one for longer.
  delete from session s using (select q.checkout_id from session q
    where q.tenant_id = v_tenant and q.status not in ('completing', 'completed') and q.updated_at < v_lately and q.came_at < v_lately
      and coalesce(q.payment_attempted_at < v_lately, true) and (q.payment is null or q.updated_at < statement_timestamp() - interval '1 day')
    order by q.status in ('open', 'ready') and q.expires_at > statement_timestamp(), q.updated_at limit p_most for update skip locked) due
  where s.tenant_id = v_tenant and s.checkout_id = due.checkout_id;
  get diagnostics v_rows = row_count;
  return v_gone + v_rows;
end
$$;
alter function checkout.make_room(int) owner to {{job:checkouts}};
revoke execute on function checkout.make_room(int) from public;
grant execute on function checkout.make_room(int) to {{app}};
