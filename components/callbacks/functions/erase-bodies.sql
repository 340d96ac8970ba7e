-- Erases bodies of the transaction's tenant that name somebody; those that wait to be carried out are forgotten once they are. Answers how many.
create or replace function callbacks.erase_bodies(sought bytea[]) returns int
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  a_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  emptied int;
  marked int;
begin
  -- These first: one that is settled meanwhile is found by either.
  update callbacks.delivery d set erased = true
    where d.tenant_id = a_tenant and d.mentions && sought and d.status in ('waiting', 'held') and d.body is not null and not d.erased;
  get diagnostics marked = row_count;
  update callbacks.delivery d set body = null, headers = null, mentions = '{}'
    where d.tenant_id = a_tenant and d.mentions && sought and d.status not in ('waiting', 'held') and d.body is not null;
  get diagnostics emptied = row_count;
  return marked + emptied;
end
$$;
alter function callbacks.erase_bodies(bytea[]) owner to {{job:callbacks}};
revoke execute on function callbacks.erase_bodies(bytea[]) from public;
grant execute on function callbacks.erase_bodies(bytea[]) to {{app}};
