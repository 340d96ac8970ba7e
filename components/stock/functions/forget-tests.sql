-- Deletes all stock of tests: levels, reservations and movements. The next test begins with what is on hand then.
create or replace function stock.forget_tests()
returns table (o_levels int, o_movements int)
language plpgsql volatile security definer set search_path = stock, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_items uuid[];
begin
  if v_tenant is null then
    raise exception 'tests are forgotten in a transaction of their tenant' using errcode = '42501';
  end if;
  v_items := array(select distinct l.item_id from level l where l.tenant_id = v_tenant and l.mode = 'test');
  perform from item i where i.tenant_id = v_tenant and i.item_id = any (v_items) order by i.item_id for no key update;
  delete from reservation where tenant_id = v_tenant and mode = 'test' and item_id = any (v_items);
  delete from held_requirement where tenant_id = v_tenant and mode = 'test' and item_id = any (v_items);
  delete from level where tenant_id = v_tenant and mode = 'test' and item_id = any (v_items);
  get diagnostics o_levels = row_count;
  delete from movement where tenant_id = v_tenant and mode = 'test' and item_id = any (v_items);
  get diagnostics o_movements = row_count;
  return next;
end
$$;
alter function stock.forget_tests() owner to {{job:stock_tests}};
revoke execute on function stock.forget_tests() from public;
grant execute on function stock.forget_tests() to {{app}};
