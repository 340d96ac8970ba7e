-- Forgets what visitors put together and left: answers under idempotency keys, carts and checkouts without an order. So many rows at a time.
-- Whoever may call it never has it forget what is still of use, whatever they ask for.
create or replace function checkout.tidy(p_answers interval, p_left interval, p_most int) returns int
language sql volatile security definer set search_path = checkout, pg_temp as $$
  with answers as (
    delete from request r using (select q.tenant_id, q.scope_id, q.request_sha256 from request q
      where q.created_at < statement_timestamp() - greatest(p_answers, interval '1 hour') limit p_most for update skip locked) due
    where r.tenant_id = due.tenant_id and r.scope_id = due.scope_id and r.request_sha256 = due.request_sha256 returning 1),
  carts as (
    delete from cart c using (select q.tenant_id, q.cart_id from cart q
      where q.expires_at < statement_timestamp() - greatest(p_left, interval '1 day') limit p_most for update skip locked) due
    where c.tenant_id = due.tenant_id and c.cart_id = due.cart_id returning 1),
  sessions as (
    delete from session s using (select q.tenant_id, q.checkout_id from session q
      where q.status not in ('completing', 'completed') and q.expires_at < statement_timestamp() - greatest(p_left, interval '1 day')
        and q.came_at < statement_timestamp() - interval '1 day' limit p_most for update skip locked) due
    where s.tenant_id = due.tenant_id and s.checkout_id = due.checkout_id returning 1)
  select ((select count(*) from answers) + (select count(*) from carts) + (select count(*) from sessions))::int
$$;
alter function checkout.tidy(interval, interval, int) owner to {{job:checkouts}};
revoke execute on function checkout.tidy(interval, interval, int) from public;
grant execute on function checkout.tidy(interval, interval, int) to {{app}};
