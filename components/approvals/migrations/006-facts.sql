-- The things that an action is about, as they are and would be, by name; what came out otherwise when it was shown anew; and when that was.
alter table approvals.action
  add facts text not null default '[]',
  add drift text,
  add shown_at timestamptz not null default clock_timestamp();
grant update (facts, drift, shown_at) on approvals.action to {{app}};
-- The view has the columns that the table had.
drop view approvals.shown;
create view approvals.shown with (security_invoker = true) as
  select a.*, a.expires_at <= clock_timestamp() as past,
    (select coalesce(json_agg(json_build_object('approver', v.approver_id,
        'at', to_char(v.voted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by v.voted_at), '[]')
      from approvals.vote v where v.tenant_id = a.tenant_id and v.action_id = a.action_id and v.preview_hash = a.preview_hash) as votes,
    (select coalesce(json_agg(json_build_object('editor', e.editor_id, 'changed', e.difference::json,
        'at', to_char(e.edited_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by e.number), '[]')
      from approvals.edit e where e.tenant_id = a.tenant_id and e.action_id = a.action_id) as edits
  from approvals.action a;
grant select on approvals.shown to {{app}};

-- Like everything that people are shown, they change only where people decide anew.
create function approvals.guard_facts() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if new.state <> 'pending' and (new.facts, new.drift, new.shown_at) is distinct from (old.facts, old.drift, old.shown_at) then
    raise exception 'what people approve is what they were shown' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke execute on function approvals.guard_facts() from public;
create trigger facts_shown before update on approvals.action
  for each row when ('"' || current_user || '"' <> '{{job:approvals_erasure}}') execute function approvals.guard_facts();

-- Facts of somebody who is erased are taken away whatever the state: one that still waits is shown anew before anybody can approve it.
grant usage, create on schema approvals to {{job:approvals_erasure}};
grant update (facts, drift) on approvals.action to {{job:approvals_erasure}};
create function approvals.erase_facts(p_actions uuid[]) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update approvals.action set facts = '[]', drift = null
  where tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and action_id = any (p_actions)
$$;
alter function approvals.erase_facts(uuid[]) owner to {{job:approvals_erasure}};
revoke create on schema approvals from {{job:approvals_erasure}};
revoke all on function approvals.erase_facts(uuid[]) from public;
grant execute on function approvals.erase_facts(uuid[]) to {{app}};
