-- Keeps checkout.kept, in bytes as the database keeps them. It moves as a transaction ends, so that nobody waits for it while another one works. What was
-- bought does not count: it stays, and is no draft.
create or replace function checkout.count_kept() returns trigger
language plpgsql security definer set search_path = checkout, pg_temp as $$
declare
  v_tenant uuid := case tg_op when 'DELETE' then old.tenant_id else new.tenant_id end;
  v_part text := case tg_op when 'DELETE' then old.part else new.part end;
  v_more bigint := 0;
begin
  if tg_table_name = 'cart' then
    if tg_op <> 'DELETE' then
      v_more := 400 + pg_column_size(new.lines) + coalesce(pg_column_size(new.door_state), 0);
    end if;
    if tg_op <> 'INSERT' then
      v_more := v_more - (400 + pg_column_size(old.lines) + coalesce(pg_column_size(old.door_state), 0));
    end if;
  elsif tg_table_name = 'session' then
    if tg_op <> 'DELETE' and new.status <> 'completed' then
      v_more := 800 + pg_column_size(new.lines) + pg_column_size(new.figures) + coalesce(pg_column_size(new.door_state), 0)
        + coalesce(pg_column_size(new.agreed), 0) + coalesce(pg_column_size(new.note), 0) + coalesce(pg_column_size(new.payment), 0)
        + coalesce(pg_column_size(new.shipping_address), 0) + coalesce(pg_column_size(new.billing_address), 0);
    end if;
    if tg_op <> 'INSERT' and old.status <> 'completed' then
      v_more := v_more - (800 + pg_column_size(old.lines) + pg_column_size(old.figures) + coalesce(pg_column_size(old.door_state), 0)
        + coalesce(pg_column_size(old.agreed), 0) + coalesce(pg_column_size(old.note), 0) + coalesce(pg_column_size(old.payment), 0)
        + coalesce(pg_column_size(old.shipping_address), 0) + coalesce(pg_column_size(old.billing_address), 0));
    end if;
  else
    if tg_op <> 'DELETE' then
      v_more := 200 + coalesce(pg_column_size(new.answer), 0);
    end if;
    if tg_op <> 'INSERT' then
      v_more := v_more - (200 + coalesce(pg_column_size(old.answer), 0));
    end if;
  end if;
  if v_more <> 0 then
    -- One row of this connection: others have their own.
    insert into kept as k (tenant_id, part, slot, bytes) values (v_tenant, v_part, pg_backend_pid() % 64, v_more)
    on conflict (tenant_id, part, slot) do update set bytes = k.bytes + excluded.bytes;
  end if;
  return null;
end
$$;
alter function checkout.count_kept() owner to {{job:checkouts}};
revoke execute on function checkout.count_kept() from public;

drop trigger if exists kept on checkout.cart;
create constraint trigger kept after insert or update or delete on checkout.cart
  deferrable initially deferred for each row execute function checkout.count_kept();
drop trigger if exists kept on checkout.session;
create constraint trigger kept after insert or update or delete on checkout.session
  deferrable initially deferred for each row execute function checkout.count_kept();
drop trigger if exists kept on checkout.request;
create constraint trigger kept after insert or update or delete on checkout.request
  deferrable initially deferred for each row execute function checkout.count_kept();
