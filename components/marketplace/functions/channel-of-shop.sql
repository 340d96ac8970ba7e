-- Whose a shop was last, also where it is disconnected by now: requests of the law come later.
create or replace function marketplace.last_channel_of_shop(a_provider text, a_shop text) returns table (tenant_id uuid, channel_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select c.tenant_id, c.channel_id from marketplace.channel c
  where c.provider = a_provider and c.shop = a_shop order by c.status = 'connected' desc, c.connected_at desc limit 1
$$;
alter function marketplace.last_channel_of_shop(text, text) owner to {{job:marketplace}};
revoke execute on function marketplace.last_channel_of_shop(text, text) from public;
grant execute on function marketplace.last_channel_of_shop(text, text) to {{app}};

-- Whose a shop is that a marketplace names.
create or replace function marketplace.channel_of_shop(a_provider text, a_shop text) returns table (tenant_id uuid, channel_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select c.tenant_id, c.channel_id from marketplace.channel c
  where c.provider = a_provider and c.shop = a_shop and c.status = 'connected'
$$;
alter function marketplace.channel_of_shop(text, text) owner to {{job:marketplace}};
revoke execute on function marketplace.channel_of_shop(text, text) from public;
grant execute on function marketplace.channel_of_shop(text, text) to {{app}};
