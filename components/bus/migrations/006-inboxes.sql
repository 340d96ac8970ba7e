-- The inboxes of tenants that share a transaction are moved by one statement, whatever their handlers do or do not ask.
grant create on schema bus to {{job:bus}};

-- What bus.take does, for several tenants. Raises where any inbox is not at its `a_had`, or where another transaction has it.
create function bus.take_together(a_consumer text, a_tenants uuid[], a_had bigint[], a_through bigint[]) returns void
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
revoke create on schema bus from {{job:bus}};
revoke execute on function bus.take_together(text, uuid[], bigint[], bigint[]) from public;
grant execute on function bus.take_together(text, uuid[], bigint[], bigint[]) to {{app}};
