-- The next number of a kind of document, or of payments. A caller waits until the caller before it has used its number or
-- rolled back. The number follows from the rows that have numbers, so an unused one is not lost. For `revaluation`: only the waiting.
create or replace function accounting.next_number(p_series text) returns bigint
language plpgsql security definer set search_path = accounting, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_last bigint := 0;
begin
  if p_series is null or p_series not in ('invoice', 'credit_note', 'bill', 'supplier_credit', 'payment', 'revaluation') then
    raise exception '% is no series', p_series using errcode = '22023';
  end if;
  insert into series as s (tenant_id, name) values (v_tenant, p_series)
  on conflict (tenant_id, name) do update set next = s.next;
  if p_series = 'payment' then
    select coalesce(max(number), 0) into v_last from payment where tenant_id = v_tenant;
  elsif p_series <> 'revaluation' then
    select coalesce(max(number), 0) into v_last from document where tenant_id = v_tenant and kind = p_series;
  end if;
  return v_last + 1;
end
$$;
alter function accounting.next_number(text) owner to {{job:ledger}};
revoke execute on function accounting.next_number(text) from public;
grant execute on function accounting.next_number(text) to {{app}};
