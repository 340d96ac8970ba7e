-- The connection that an address names, with the secrets that its requests may be signed with, current first. One that was resumed is paused until all that
-- was held of it is let go of, so that nothing overtakes that.
create or replace function callbacks.find_connection(a_connection uuid, a_receiver text)
returns table (tenant_id uuid, connection_id uuid, provider text, account text, live boolean, settings jsonb, status text, signing text, previous text)
language sql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
  select c.tenant_id, c.connection_id, c.provider, c.account, c.live, c.settings,
    case when c.release_until = 'infinity' then 'paused' else c.status end, s.sealed,
    case when s.previous_until > clock_timestamp() then s.previous end
  from callbacks.connection c
  left join callbacks.secret s on s.tenant_id = c.tenant_id and s.connection_id = c.connection_id and s.name = 'signing'
  where c.connection_id = a_connection and c.receiver = a_receiver and c.status <> 'removed'
$$;
alter function callbacks.find_connection(uuid, text) owner to {{job:callbacks}};
revoke execute on function callbacks.find_connection(uuid, text) from public;
grant execute on function callbacks.find_connection(uuid, text) to {{app}};

-- The connections of an account that the provider has confirmed: one for live and one for test events.
create or replace function callbacks.connections_of_account(a_receiver text, a_provider text, an_account text)
returns table (tenant_id uuid, connection_id uuid, provider text, account text, live boolean, settings jsonb, status text, signing text, previous text)
language sql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
  select c.tenant_id, c.connection_id, c.provider, c.account, c.live, c.settings,
    case when c.release_until = 'infinity' then 'paused' else c.status end, s.sealed,
    case when s.previous_until > clock_timestamp() then s.previous end
  from callbacks.connection c
  left join callbacks.secret s on s.tenant_id = c.tenant_id and s.connection_id = c.connection_id and s.name = 'signing'
  where c.receiver = a_receiver and c.provider = a_provider and c.account = an_account
    and c.proven_at is not null and c.status <> 'removed'
  limit 2
$$;
alter function callbacks.connections_of_account(text, text, text) owner to {{job:callbacks}};
revoke execute on function callbacks.connections_of_account(text, text, text) from public;
grant execute on function callbacks.connections_of_account(text, text, text) to {{app}};
