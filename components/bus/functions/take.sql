-- Locks the tenant's inbox and moves it on, as the application and within its walls. Raises where it is not at `a_had`
-- (0: nowhere yet), or where another transaction has it: nobody is waited for.
create or replace function bus.take(a_tenant uuid, a_consumer text, a_had bigint, a_through bigint) returns void
language plpgsql volatile as $$
declare
  patience text;
begin
  with held as (select from bus.inbox
    where tenant_id = a_tenant and consumer = a_consumer and position = a_had for update skip locked)
  update bus.inbox i set position = a_through from held where i.tenant_id = a_tenant and i.consumer = a_consumer;
  if found then return; end if;
  if a_had = 0 then
    begin
      patience := pg_catalog.current_setting('lock_timeout');
      perform pg_catalog.set_config('lock_timeout', '100', true);
      insert into bus.inbox (tenant_id, consumer, position) values (a_tenant, a_consumer, a_through) on conflict do nothing;
      if found then
        perform pg_catalog.set_config('lock_timeout', patience, true);
        return;
      end if;
    exception when lock_not_available then null;
    end;
  end if;
  raise exception 'the tenant is in another''s hand' using errcode = 'BU001';
end $$;
revoke execute on function bus.take(uuid, text, bigint, bigint) from public;
grant execute on function bus.take(uuid, text, bigint, bigint) to {{app}};

-- What bus.take does, for several tenants. Raises where any inbox is not at its `a_had`, or where another transaction has it.
create or replace function bus.take_together(a_consumer text, a_tenants uuid[], a_had bigint[], a_through bigint[]) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  patience text;
  moved int;
  begun int := 0;
begin
  if nullif(current_setting('app.tenant_id', true), '') is not null then
    raise exception 'inboxes of many tenants belong to no tenant''s transaction' using errcode = '42501';
  end if;
  with held as (select i.tenant_id, w.through
    from unnest(a_tenants, a_had, a_through) as w (tenant_id, had, through)
    join bus.inbox i on i.tenant_id = w.tenant_id and i.consumer = a_consumer and i.position = w.had
    for update of i skip locked)
  update bus.inbox i set position = held.through from held where i.tenant_id = held.tenant_id and i.consumer = a_consumer;
  get diagnostics moved = row_count;
  if moved < cardinality(a_tenants) then
    begin
      patience := current_setting('lock_timeout');
      perform set_config('lock_timeout', '100', true);
      insert into bus.inbox (tenant_id, consumer, position)
        select w.tenant_id, a_consumer, w.through from unnest(a_tenants, a_had, a_through) as w (tenant_id, had, through)
        where w.had = 0 order by w.tenant_id
        on conflict do nothing;
      get diagnostics begun = row_count;
      perform set_config('lock_timeout', patience, true);
    exception when lock_not_available then null;
    end;
  end if;
  if moved + begun < cardinality(a_tenants) then
    raise exception 'a tenant is in another''s hand' using errcode = 'BU001';
  end if;
end $$;
alter function bus.take_together(text, uuid[], bigint[], bigint[]) owner to {{job:bus}};
revoke execute on function bus.take_together(text, uuid[], bigint[], bigint[]) from public;
grant execute on function bus.take_together(text, uuid[], bigint[], bigint[]) to {{app}};
