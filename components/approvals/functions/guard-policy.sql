-- A policy counts its versions: what was bound to one is not bound to another that passes for it.
create or replace function approvals.guard_policy() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if new.version <> (case tg_op when 'INSERT' then 1 else old.version + 1 end) then
    raise exception 'each change of a policy is its next version' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke execute on function approvals.guard_policy() from public;

create or replace trigger counted before insert or update on approvals.policy for each row execute function approvals.guard_policy();
