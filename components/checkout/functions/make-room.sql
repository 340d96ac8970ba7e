-- Deletes of the transaction's tenant, of one part, what was left longest, and what had ended before that: so many rows at most of carts, of
-- checkouts without an order and of answers under idempotency keys, read in the order of their indexes, whatever is known of the tables. What anybody
-- touched within the hour stays, whoever asks, and so does what is being paid or was bought, with its answers. Answers are looked at from `p_from` on: `o_next` is from where to go on, null at their end.
create or replace function checkout.make_room(p_part text, p_most int, p_held uuid[], p_from timestamptz)
returns table (o_bytes bigint, o_rows int, o_next timestamptz)
language plpgsql volatile security definer set search_path = checkout, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_lately timestamptz := statement_timestamp() - interval '1 hour';
  v_until timestamp := date_bin('10 minutes', v_lately at time zone 'UTC', timestamp '2000-01-01');
  v_ended boolean;
  v_ids uuid[];
  v_answer record;
  v_bytes bigint;
  v_looked int := 0;
begin
  if v_tenant is null then
    raise exception 'room is made in a transaction of its tenant' using errcode = '42501';
  end if;
  o_bytes := 0;
  o_rows := 0;
  -- Nobody is waited for: whoever completes a checkout holds its cart.
  foreach v_ended in array array[true, false] loop
    v_ids := array(
      select q.cart_id from cart q
      where q.tenant_id = v_tenant and q.part = p_part and q.ended = v_ended and q.touched < v_until and q.cart_id <> all (p_held)
        and not exists (select from session s where s.tenant_id = v_tenant and s.checkout_id = q.checkout_id
          and (s.status = 'completing' or s.status in ('open', 'ready') and s.updated_at >= v_lately))
      order by q.touched limit p_most - o_rows for update skip locked);
    with gone as (
      delete from cart where tenant_id = v_tenant and cart_id = any (v_ids)
      returning 400 + pg_column_size(lines) + coalesce(pg_column_size(door_state), 0) as bytes)
    select o_bytes + coalesce(sum(bytes), 0), o_rows + count(*) into o_bytes, o_rows from gone;

    v_ids := array(
      select q.checkout_id from session q
      where q.tenant_id = v_tenant and q.part = p_part and q.ended = v_ended and q.touched < v_until and q.checkout_id <> all (p_held)
        and q.status not in ('completing', 'completed')
      order by q.touched limit p_most - o_rows for update skip locked);
    with gone as (
      delete from session where tenant_id = v_tenant and checkout_id = any (v_ids)
      returning 800 + pg_column_size(lines) + pg_column_size(figures) + coalesce(pg_column_size(door_state), 0) + coalesce(pg_column_size(agreed), 0)
        + coalesce(pg_column_size(note), 0) + coalesce(pg_column_size(payment), 0) + coalesce(pg_column_size(shipping_address), 0)
        + coalesce(pg_column_size(billing_address), 0) as bytes)
    select o_bytes + coalesce(sum(bytes), 0), o_rows + count(*) into o_bytes, o_rows from gone;
  end loop;

  for v_answer in
    select q.scope_id, q.request_sha256, q.about_id, q.created_at from request q
    where q.tenant_id = v_tenant and q.part = p_part and q.created_at < v_lately and q.created_at >= p_from
    order by q.created_at limit p_most for update skip locked
  loop
    v_looked := v_looked + 1;
    o_next := v_answer.created_at;
    delete from request r where r.tenant_id = v_tenant and r.scope_id = v_answer.scope_id and r.request_sha256 = v_answer.request_sha256
      and not exists (select from session s where s.tenant_id = v_tenant and s.checkout_id = coalesce(v_answer.about_id, v_answer.scope_id)
        and s.status in ('completing', 'completed'))
    returning 200 + coalesce(pg_column_size(r.answer), 0) into v_bytes;
    if found then
      o_bytes := o_bytes + v_bytes;
      o_rows := o_rows + 1;
    end if;
  end loop;
  if v_looked < p_most then
    o_next := null;
  end if;
  return next;
end
$$;
alter function checkout.make_room(text, int, uuid[], timestamptz) owner to {{job:checkouts}};
revoke execute on function checkout.make_room(text, int, uuid[], timestamptz) from public;
grant execute on function checkout.make_room(text, int, uuid[], timestamptz) to {{app}};
