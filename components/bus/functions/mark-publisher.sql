-- A shared advisory lock until the end of the transaction; its key is the last position drawn before it. The statement's
-- own positions are drawn after this trigger.
create or replace function bus.mark_publisher() returns trigger language plpgsql as $$
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(1112888111,
    ((case when s.is_called then s.last_value else s.last_value - 1 end) & 2147483647)::pg_catalog.int4)
  from bus.outbox_position_seq s;
  return null;
end $$;

create or replace trigger mark_publisher before insert on bus.outbox for each statement execute function bus.mark_publisher();
alter table bus.outbox enable always trigger mark_publisher;
