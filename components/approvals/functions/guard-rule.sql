-- A standing rule is for a time, and is revoked once.
create or replace function approvals.guard_rule() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if not approvals.is_now(new.created_at) or num_nonnulls(new.revoked_at, new.revoked_by) > 0
      or new.valid_until > clock_timestamp() + interval '32 days' then
      raise exception 'a rule begins now, for up to a month' using errcode = '42501';
    end if;
  elsif old.revoked_at is not null or num_nulls(new.revoked_at, new.revoked_by) > 0 then
    raise exception 'a rule is revoked once' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke execute on function approvals.guard_rule() from public;

create or replace trigger revoked_once before insert or update on approvals.standing_rule for each row execute function approvals.guard_rule();
