-- Through which client an action was asked for, and why the platform withdrew it where no person did.
alter table approvals.action
  add column client_id text,
  add column cause text check (cause is null or (state = 'withdrawn' and cause in ('client_shut_out', 'grant_narrowed', 'grant_missing')));
grant update (cause) on approvals.action to {{app}};

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
