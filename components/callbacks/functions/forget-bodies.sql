-- Forgets what settled deliveries said, once they are old or name somebody who was erased; nobody's are removed whole. Answers how many.
create or replace function callbacks.forget_bodies(kept interval, most int) returns int
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  forgotten int;
  named int;
  removed int;
begin
  with old as (
    select d.tenant_id, d.delivery_id from callbacks.delivery d
    where d.body is not null and d.received_at < statement_timestamp() - kept and d.status not in ('waiting', 'held')
      and d.tenant_id <> '00000000-0000-0000-0000-000000000000'
    order by d.received_at limit most for update skip locked)
  update callbacks.delivery d set body = null, headers = null, mentions = '{}' from old
    where d.tenant_id = old.tenant_id and d.delivery_id = old.delivery_id;
  get diagnostics forgotten = row_count;
  with erased as (
    select d.tenant_id, d.delivery_id from callbacks.delivery d
    where d.erased and d.body is not null and d.status not in ('waiting', 'held')
    order by d.tenant_id, d.delivery_id limit most for update skip locked)
  update callbacks.delivery d set body = null, headers = null, mentions = '{}' from erased
    where d.tenant_id = erased.tenant_id and d.delivery_id = erased.delivery_id;
  get diagnostics named = row_count;
  with old as (
    select d.delivery_id from callbacks.delivery d
    where d.tenant_id = '00000000-0000-0000-0000-000000000000' and d.received_at < statement_timestamp() - kept
    order by d.received_at limit most for update skip locked)
  delete from callbacks.delivery d using old
    where d.tenant_id = '00000000-0000-0000-0000-000000000000' and d.delivery_id = old.delivery_id;
  get diagnostics removed = row_count;
  return forgotten + named + removed;
end
$$;
alter function callbacks.forget_bodies(interval, int) owner to {{job:callbacks}};
revoke execute on function callbacks.forget_bodies(interval, int) from public;
grant execute on function callbacks.forget_bodies(interval, int) to {{app}};

-- For operators: how many deliveries there are of each standing that are not carried out, over all tenants.
create or replace function callbacks.summary() returns table (receiver text, status text, deliveries bigint, first_at timestamptz, last_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select d.receiver, d.status, count(*), min(d.received_at), max(d.received_at) from callbacks.delivery d
  where d.status not in ('applied', 'ignored') group by d.receiver, d.status
$$;
alter function callbacks.summary() owner to {{job:callbacks}};
revoke execute on function callbacks.summary() from public;
grant execute on function callbacks.summary() to {{app}};

-- For operators: the last deliveries that are nobody's.
create or replace function callbacks.unclaimed(most int)
returns table (delivery_id uuid, receiver text, provider text, account text, topic text, received_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select d.delivery_id, d.receiver, d.provider, d.account, d.topic, d.received_at from callbacks.delivery d
  where d.tenant_id = '00000000-0000-0000-0000-000000000000' order by d.received_at desc, d.delivery_id desc limit most
$$;
alter function callbacks.unclaimed(int) owner to {{job:callbacks}};
revoke execute on function callbacks.unclaimed(int) from public;
grant execute on function callbacks.unclaimed(int) to {{app}};
