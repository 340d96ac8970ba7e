-- Like everything that people see, the things that an action is about change only if people must decide again.
create or replace function approvals.guard_facts() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if new.state <> 'pending' and (new.facts, new.drift, new.shown_at) is distinct from (old.facts, old.drift, old.shown_at) then
    raise exception 'what people approve is what they were shown' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke execute on function approvals.guard_facts() from public;

create or replace trigger facts_shown before update on approvals.action
  for each row when ('"' || current_user || '"' <> '{{job:approvals_erasure}}') execute function approvals.guard_facts();
