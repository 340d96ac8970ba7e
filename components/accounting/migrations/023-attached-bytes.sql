-- How many bytes of files a tenant has attached, kept as they come and go: what tells its quota reads one row. It moves as a transaction
-- ends, so that nobody waits for it while another one works.
create table accounting.attached (
  tenant_id uuid primary key references accounting.book,
  bytes bigint not null
);
alter table accounting.attachment no force row level security;
insert into accounting.attached (tenant_id, bytes)
  select tenant_id, sum(bytes) from accounting.attachment where removed_at is null group by tenant_id;
alter table accounting.attachment force row level security;
alter table accounting.attached enable row level security;
alter table accounting.attached force row level security;
create policy tenant on accounting.attached
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select on accounting.attached to {{app}};
grant select, insert, update on accounting.attached to {{job:accounting_erasure}};

create function accounting.count_attached() returns trigger
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
grant usage, create on schema accounting to {{job:accounting_erasure}};
alter function accounting.count_attached() owner to {{job:accounting_erasure}};
revoke create on schema accounting from {{job:accounting_erasure}};
revoke all on function accounting.count_attached() from public;
create constraint trigger attached after insert or update or delete on accounting.attachment
  deferrable initially deferred for each row execute function accounting.count_attached();
