-- Leases tasks that are due. A lease only saves work from being done twice: what is imported twice is there once.
create or replace function marketplace.claim_tasks(lease interval, most int) returns table (tenant_id uuid, channel_id uuid, kind text)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update marketplace.task t set leased_until = clock_timestamp() + lease
  from (
    select w.tenant_id, w.channel_id, w.kind from marketplace.task w
    where w.state = 'due' and w.next_at <= clock_timestamp() and (w.leased_until is null or w.leased_until <= clock_timestamp())
      -- In their order: an order names products, and whoever listens misses nothing of what is imported afterwards.
      and not exists (
        select from marketplace.task b where b.tenant_id = w.tenant_id and b.channel_id = w.channel_id and b.state = 'due'
          and array_position(array['webhooks', 'products', 'orders'], b.kind) < coalesce(array_position(array['webhooks', 'products', 'orders'], w.kind), 4))
    order by w.next_at limit most for update skip locked) due
  where t.tenant_id = due.tenant_id and t.channel_id = due.channel_id and t.kind = due.kind
  returning t.tenant_id, t.channel_id, t.kind
$$;
alter function marketplace.claim_tasks(interval, int) owner to {{job:marketplace}};
revoke execute on function marketplace.claim_tasks(interval, int) from public;
grant execute on function marketplace.claim_tasks(interval, int) to {{app}};
