-- How many letters about orders an address was sent in the last day, by all tenants together: somebody whom nobody asked is written to by no
-- number of tenants.
create or replace function orders.letters_to(a_address bytea) returns int
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  select count(*)::int from orders.letter l where l.address = a_address and l.owed and l.told_at > now() - interval '1 day'
$$;
alter function orders.letters_to(bytea) owner to {{job:order_letters}};
revoke execute on function orders.letters_to(bytea) from public;
grant execute on function orders.letters_to(bytea) to {{app}};
