-- Takes genuine deliveries, each once: insert first, and look afterwards. Answers of each, by its number, what it is: `new`, `repeated`, `conflicting`, or
-- `surplus` where it conflicts and is kept already, or three others are, and which one was taken. They come in the order of what makes them one, so that whoever takes the same ones at the same time waits one way.
-- Their bodies are one after the other in `bodies`.
create or replace function callbacks.claim(claims json, bodies bytea)
returns table (number int, outcome text, delivery_id uuid)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
#variable_conflict use_column
declare
  taken uuid[];
  one callbacks.taking;
  known callbacks.delivery;
begin
  with inserted as (
    insert into callbacks.delivery (tenant_id, delivery_id, receiver, provider, connection_id, account, provider_delivery_id, event_id, topic, live,
      resource, occurred_at, item, body_sha256, signed_sha256, body, headers, mentions, seal, status, next_at, settled_at)
    select tenant, id, receiver, provider, connection, account, delivery, event, topic, live, resource, occurred, item, decode(digest, 'hex'), decode(signed, 'hex'),
      substring(bodies from starts + 1 for bytes), headers, array(select decode(m, 'hex') from json_array_elements_text(mentions) m), decode(seal, 'hex'), status,
      case when status = 'waiting' then clock_timestamp() end,
      case when status not in ('waiting', 'held') then clock_timestamp() end
    from json_populate_recordset(null::callbacks.taking, claims) order by number
    on conflict (tenant_id, receiver, provider, account, provider_delivery_id) where status <> 'conflicting' do nothing
    returning delivery_id
  )
  select coalesce(array_agg(i.delivery_id), '{}') into taken from inserted i;
  for one in
    select * from json_populate_recordset(null::callbacks.taking, claims) order by number
  loop
    if one.id = any (taken) then
      return query select one.number, 'new', one.id;
      continue;
    end if;
    select * into known from callbacks.delivery d
      where d.tenant_id = one.tenant and d.receiver = one.receiver and d.provider = one.provider and d.account = one.account
        and d.provider_delivery_id = one.delivery and d.status <> 'conflicting';
    if known.body_sha256 = decode(one.digest, 'hex') or known.signed_sha256 = decode(one.signed, 'hex') then
      -- Whoever comes at the same time need not wait to be counted.
      update callbacks.delivery d set repeats = d.repeats + 1
        from (select w.delivery_id from callbacks.delivery w where w.tenant_id = one.tenant and w.delivery_id = known.delivery_id for update skip locked) free
        where d.tenant_id = one.tenant and d.delivery_id = free.delivery_id;
      return query select one.number, 'repeated', known.delivery_id;
      continue;
    end if;
    if exists (
      select from (
        select d.body_sha256, d.signed_sha256, row_number() over () as kept from callbacks.delivery d
        where d.tenant_id = one.tenant and d.receiver = one.receiver and d.provider = one.provider and d.account = one.account
          and d.provider_delivery_id = one.delivery and d.status = 'conflicting' limit 3) c
      where c.kept = 3 or c.body_sha256 = decode(one.digest, 'hex') or c.signed_sha256 = decode(one.signed, 'hex')) then
      return query select one.number, 'surplus', known.delivery_id;
      continue;
    end if;
    insert into callbacks.delivery (tenant_id, delivery_id, receiver, provider, connection_id, account, provider_delivery_id, event_id, topic, live,
      resource, occurred_at, item, body_sha256, signed_sha256, body, headers, mentions, seal, status, settled_at)
    values (one.tenant, one.id, one.receiver, one.provider, one.connection, one.account, one.delivery, one.event, one.topic, one.live,
      one.resource, one.occurred, one.item, decode(one.digest, 'hex'), decode(one.signed, 'hex'), substring(bodies from one.starts + 1 for one.bytes), one.headers,
      array(select decode(m, 'hex') from json_array_elements_text(one.mentions) m), decode(one.seal, 'hex'), 'conflicting', clock_timestamp())
    on conflict (tenant_id, receiver, provider, account, provider_delivery_id, body_sha256) where status = 'conflicting' do nothing;
    return query select one.number, 'conflicting', known.delivery_id;
  end loop;
end
$$;
alter function callbacks.claim(json, bytea) owner to {{job:callbacks}};
revoke execute on function callbacks.claim(json, bytea) from public;
grant execute on function callbacks.claim(json, bytea) to {{app}};
