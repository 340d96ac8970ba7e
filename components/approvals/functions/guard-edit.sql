-- People edit an action while it is open.
create or replace function approvals.guard_edit() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if not approvals.is_now(new.edited_at) or not exists (
    select from approvals.action a
    where a.tenant_id = new.tenant_id and a.action_id = new.action_id and a.state = 'pending' and a.expires_at > now())
    or new.number <> (
      select count(*) + 1 from approvals.edit e where e.tenant_id = new.tenant_id and e.action_id = new.action_id) then
    raise exception 'an edit is the next one of what is pending' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke execute on function approvals.guard_edit() from public;

create or replace trigger open before insert on approvals.edit for each row execute function approvals.guard_edit();
