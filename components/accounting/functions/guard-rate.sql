-- Rates of days in closed months stay what they were when the month was closed. AC001.
create or replace function accounting.guard_rate() returns trigger language plpgsql set search_path = accounting, pg_temp as $$
begin
  if exists (
    select from period where tenant_id = new.tenant_id and (
      month = date_trunc('month', new.day)::date and status = 'closed' or month > new.day and year_closed)) then
    raise exception 'the month of % is closed', new.day using errcode = 'AC001';
  end if;
  return new;
end
$$;

create or replace trigger closed before insert or update on accounting.rate for each row execute function accounting.guard_rate();
