-- How often somebody was erased: what was rehearsed before is not stored after.
create table approvals.erasure (
  tenant_id uuid primary key,
  times int not null
);
alter table approvals.erasure enable row level security;
alter table approvals.erasure force row level security;
create policy tenant on approvals.erasure to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select, insert, update (times) on approvals.erasure to {{app}};

-- A settled action stays as it is, but for what it says of a person who asks to be forgotten: the function below takes that away, in the
-- transaction's tenant, of a role that can do nothing else. CREATE is needed only while it changes hands.
grant usage, create on schema approvals to {{job:approvals_erasure}};
create policy erasing on approvals.action to {{job:approvals_erasure}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy erasing on approvals.edit to {{job:approvals_erasure}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select (tenant_id, action_id, state, reason), update (arguments, summary, preview, reason, result, payee)
  on approvals.action to {{job:approvals_erasure}};
grant select (tenant_id, action_id), update (difference) on approvals.edit to {{job:approvals_erasure}};
drop trigger steps on approvals.action;
create trigger steps_inserted before insert on approvals.action
  for each row execute function approvals.guard_action();
create trigger steps before update on approvals.action
  for each row when ('"' || current_user || '"' <> '{{job:approvals_erasure}}') execute function approvals.guard_action();

-- Empties settled actions and what was edited of them. Digests stay, and who decided what when.
create function approvals.erase_actions(p_actions uuid[]) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update approvals.edit e set difference = '[]'
  from approvals.action a
  where e.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and e.action_id = any (p_actions)
    and a.tenant_id = e.tenant_id and a.action_id = e.action_id and a.state not in ('pending', 'approved');
  update approvals.action a set arguments = '{}', summary = 'Erased.', preview = 'null', result = null, payee = null,
    reason = case when a.reason is not null then 'It was about somebody whose data was erased.' end
  where a.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and a.action_id = any (p_actions)
    and a.state not in ('pending', 'approved');
$$;
alter function approvals.erase_actions(uuid[]) owner to {{job:approvals_erasure}};
revoke create on schema approvals from {{job:approvals_erasure}};
revoke all on function approvals.erase_actions(uuid[]) from public;
grant execute on function approvals.erase_actions(uuid[]) to {{app}};
