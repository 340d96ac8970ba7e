-- Open items at a day's rate, with the entry that says so and its mirror on the next day.
create or replace function accounting.revalue_items(p_id uuid, p_day date, p_entry uuid, p_mirror uuid, p_items uuid[], p_differences bigint[])
returns void
language plpgsql security definer set search_path = accounting, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
begin
  insert into revaluation (tenant_id, revaluation_id, day, entry_id, mirror_id) values (v_tenant, p_id, p_day, p_entry, p_mirror);
  insert into revaluation_item (tenant_id, revaluation_id, item_id, difference)
  select v_tenant, p_id, item_id, difference from unnest(p_items, p_differences) as r (item_id, difference);
  if not exists (
      select from entry e join entry m on m.tenant_id = e.tenant_id and m.reverses = e.entry_id
      where e.tenant_id = v_tenant and e.entry_id = p_entry and m.entry_id = p_mirror and e.kind = 'revaluation'
        and e.source_id = p_id and m.source_id = p_id and e.posting_date = p_day and m.posting_date = p_day + 1)
    or exists (
      select from (
        select control as side, base from moved_by(v_tenant, p_entry) where control in ('receivable', 'payable')
        union all
        select i.side, case when (i.nature = 'charge') = (i.side = 'receivable') then -r.difference else r.difference end
        from revaluation_item r join item i on i.tenant_id = r.tenant_id and i.item_id = r.item_id
        where r.tenant_id = v_tenant and r.revaluation_id = p_id and i.opened_on <= p_day) s
      group by side having sum(base) <> 0)
    or exists (
      select from revaluation_item r join item i on i.tenant_id = r.tenant_id and i.item_id = r.item_id
      where r.tenant_id = v_tenant and r.revaluation_id = p_id and i.opened_on > p_day) then
    raise exception 'items are worth as much more or less as the entry of their revaluation says' using errcode = '42501';
  end if;
end
$$;
alter function accounting.revalue_items(uuid, date, uuid, uuid, uuid[], bigint[]) owner to {{job:ledger}};
revoke execute on function accounting.revalue_items(uuid, date, uuid, uuid, uuid[], bigint[]) from public;
grant execute on function accounting.revalue_items(uuid, date, uuid, uuid, uuid[], bigint[]) to {{app}};
