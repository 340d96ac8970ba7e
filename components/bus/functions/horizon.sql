-- Raises on a server that follows another: publishers' marks are not seen there, and rows come in the order of their commits.
create or replace function bus.leads() returns boolean
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if pg_is_in_recovery() then
    raise exception 'the outbox is not read from a server that follows another' using errcode = 'read_only_sql_transaction';
  end if;
  return true;
end $$;
revoke execute on function bus.leads() from public;
grant execute on function bus.leads() to {{app}}, {{job:bus}};

-- The horizon: every position up to it is either visible to the next statement or will never exist; only on a server that takes writes.
-- The order matters: first the head, then the marks, and then rows in a later statement. A publisher that marks later draws above the head.
create or replace function bus.horizon() returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  head bigint;
  lowest bigint;
begin
  perform bus.leads();
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'the outbox is read in read committed: rows must be newer than the marks';
  end if;
  select case when s.is_called then s.last_value else s.last_value - 1 end into head from bus.outbox_position_seq s;
  -- Keys are 31 bits of a position; what is more than half of that away was marked after the head was read.
  select max(d) into lowest from (
    select (head - l.objid::bigint) & 2147483647 as d from pg_locks l
    where l.locktype = 'advisory' and l.classid = 1112888111 and l.objsubid = 2
      and l.database = (select oid from pg_database where datname = current_database())) marks
  where d < 1073741824;
  return head - coalesce(lowest, 0);
end $$;
alter function bus.horizon() owner to {{job:bus}};
revoke execute on function bus.horizon() from public;
grant execute on function bus.horizon() to {{app}};
