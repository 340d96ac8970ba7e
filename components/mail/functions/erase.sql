-- Takes letters of the transaction's tenant away that wait or were given up. One that is on its way to the mail server at this moment
-- may still arrive there; it is sent no second time. Sent ones say nothing any more.
create or replace function mail.erase(keys bytea[]) returns int
language sql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  with gone as (
    delete from mail.letter l
    where l.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and l.key = any (keys) and l.state <> 'sent'
    returning 1)
  select count(*)::int from gone
$$;
alter function mail.erase(bytea[]) owner to {{job:mail}};
revoke execute on function mail.erase(bytea[]) from public;
grant execute on function mail.erase(bytea[]) to {{app}};
