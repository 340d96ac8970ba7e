-- People vote while an action is open and as it is shown.
create or replace function approvals.guard_vote() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if not approvals.is_now(new.voted_at) or not exists (
    select from approvals.action a
    where a.tenant_id = new.tenant_id and a.action_id = new.action_id and a.state = 'pending' and a.expires_at > now()
      and a.preview_hash = new.preview_hash) then
    raise exception 'a vote is about what is pending, as it is shown' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke execute on function approvals.guard_vote() from public;

create or replace trigger open before insert on approvals.vote for each row execute function approvals.guard_vote();
