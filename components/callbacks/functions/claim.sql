-- Takes a genuine delivery, once: insert first, and look afterwards. Answers what it is: `new`, `repeated` or `conflicting`.
create or replace function callbacks.claim(
  a_tenant uuid, an_id uuid, a_receiver text, a_provider text, a_connection uuid, an_account text, a_delivery text, an_event text, a_topic text,
  is_live boolean, a_resource text, occurred timestamptz, an_item int, a_digest bytea, a_body bytea, some_headers jsonb, some_mentions bytea[], a_seal bytea, a_status text)
returns table (outcome text, delivery_id uuid)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
#variable_conflict use_column
declare
  known callbacks.delivery;
begin
  insert into callbacks.delivery (tenant_id, delivery_id, receiver, provider, connection_id, account, provider_delivery_id, event_id, topic, live,
    resource, occurred_at, item, body_sha256, body, headers, mentions, seal, status, next_at, settled_at)
  values (a_tenant, an_id, a_receiver, a_provider, a_connection, an_account, a_delivery, an_event, a_topic, is_live,
    a_resource, occurred, an_item, a_digest, a_body, some_headers, some_mentions, a_seal, a_status,
    case when a_status = 'waiting' then clock_timestamp() end,
    case when a_status not in ('waiting', 'held') then clock_timestamp() end)
  on conflict (tenant_id, receiver, provider, account, provider_delivery_id) where status <> 'conflicting' do nothing;
  if found then
    return query select 'new', an_id;
    return;
  end if;
  select * into known from callbacks.delivery d
    where d.tenant_id = a_tenant and d.receiver = a_receiver and d.provider = a_provider and d.account = an_account
      and d.provider_delivery_id = a_delivery and d.status <> 'conflicting';
  if known.body_sha256 = a_digest then
    -- Whoever comes at the same time need not wait to be counted.
    update callbacks.delivery d set repeats = d.repeats + 1
      from (select w.delivery_id from callbacks.delivery w where w.tenant_id = a_tenant and w.delivery_id = known.delivery_id for update skip locked) free
      where d.tenant_id = a_tenant and d.delivery_id = free.delivery_id;
    return query select 'repeated', known.delivery_id;
    return;
  end if;
  insert into callbacks.delivery (tenant_id, delivery_id, receiver, provider, connection_id, account, provider_delivery_id, event_id, topic, live,
    resource, occurred_at, item, body_sha256, body, headers, mentions, seal, status, settled_at)
  values (a_tenant, an_id, a_receiver, a_provider, a_connection, an_account, a_delivery, an_event, a_topic, is_live,
    a_resource, occurred, an_item, a_digest, a_body, some_headers, some_mentions, a_seal, 'conflicting', clock_timestamp())
  on conflict (tenant_id, receiver, provider, account, provider_delivery_id, body_sha256) where status = 'conflicting' do nothing;
  return query select 'conflicting', known.delivery_id;
end
$$;
alter function callbacks.claim(uuid, uuid, text, text, uuid, text, text, text, text, boolean, text, timestamptz, int, bytea, bytea, jsonb, bytea[], bytea, text)
  owner to {{job:callbacks}};
revoke execute on function callbacks.claim(uuid, uuid, text, text, uuid, text, text, text, text, boolean, text, timestamptz, int, bytea, bytea, jsonb, bytea[], bytea, text) from public;
grant execute on function callbacks.claim(uuid, uuid, text, text, uuid, text, text, text, text, boolean, text, timestamptz, int, bytea, bytea, jsonb, bytea[], bytea, text) to {{app}};
