-- Empties settled actions and their edits, of an erased person, in the transaction's tenant, as a role that
-- can do nothing else. Digests stay, and who decided what when.
create or replace function approvals.erase_actions(p_actions uuid[]) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update approvals.edit e set difference = '[]'
  from approvals.action a
  where e.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and e.action_id = any (p_actions)
    and a.tenant_id = e.tenant_id and a.action_id = e.action_id and a.state not in ('pending', 'approved');
  update approvals.action a set arguments = '{}', summary = 'Erased.', preview = 'null', result = null, payee = null, facts = '[]', drift = null,
    reason = case when a.reason is not null then 'It was about somebody whose data was erased.' end
  where a.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and a.action_id = any (p_actions)
    and a.state not in ('pending', 'approved');
$$;
alter function approvals.erase_actions(uuid[]) owner to {{job:approvals_erasure}};
revoke execute on function approvals.erase_actions(uuid[]) from public;
grant execute on function approvals.erase_actions(uuid[]) to {{app}};

-- Deletes the facts of an erased person in any state: a pending action gets a new preview before anybody can
-- approve it.
create or replace function approvals.erase_facts(p_actions uuid[]) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update approvals.action set facts = '[]', drift = null
  where tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and action_id = any (p_actions)
$$;
alter function approvals.erase_facts(uuid[]) owner to {{job:approvals_erasure}};
revoke execute on function approvals.erase_facts(uuid[]) from public;
grant execute on function approvals.erase_facts(uuid[]) to {{app}};
