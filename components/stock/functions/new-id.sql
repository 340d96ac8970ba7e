-- An id in the order of time (UUIDv7), for rows of which a function makes several at once.
create or replace function stock.new_id()
returns uuid
language sql volatile as $$
  select (right(lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0'), 12)
    || '7' || right(replace(gen_random_uuid()::text, '-', ''), 19))::uuid
$$;
revoke execute on function stock.new_id() from public;
grant execute on function stock.new_id() to {{app}};
