-- Keeps accounting.attached. It moves as a transaction ends, so that nobody waits for it while another one works.
create or replace function accounting.count_attached() returns trigger
language plpgsql security definer set search_path = accounting, pg_temp as $$
declare
  v_before bigint := case when tg_op = 'INSERT' or old.removed_at is not null then 0 else old.bytes end;
  v_after bigint := case when tg_op = 'DELETE' or new.removed_at is not null then 0 else new.bytes end;
begin
  if v_after <> v_before then
    insert into attached as a (tenant_id, bytes)
    values (case tg_op when 'DELETE' then old.tenant_id else new.tenant_id end, v_after - v_before)
    on conflict (tenant_id) do update set bytes = a.bytes + excluded.bytes;
  end if;
  return null;
end
$$;
alter function accounting.count_attached() owner to {{job:accounting_erasure}};
revoke execute on function accounting.count_attached() from public;

drop trigger if exists attached on accounting.attachment;
create constraint trigger attached after insert or update or delete on accounting.attachment
  deferrable initially deferred for each row execute function accounting.count_attached();
