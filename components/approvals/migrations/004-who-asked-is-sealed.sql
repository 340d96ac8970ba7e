-- Who asked for an action, for what and until when, and what people changed of it, has a seal that is not made again when the action is shown
-- anew. What was asked for before has none: it gets one when it is shown anew, before anybody approves it.
alter table approvals.action add column asked_seal text;
grant update (asked_seal) on approvals.action to {{app}};

-- With the seals of votes, so that what was not cast is not shown as an approval.
drop view approvals.shown;
create view approvals.shown with (security_invoker = true) as
  select a.*, a.expires_at <= clock_timestamp() as past,
    (select coalesce(json_agg(json_build_object('approver', v.approver_id, 'seal', v.seal,
        'at', to_char(v.voted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by v.voted_at), '[]')
      from approvals.vote v where v.tenant_id = a.tenant_id and v.action_id = a.action_id and v.preview_hash = a.preview_hash) as votes,
    (select coalesce(json_agg(json_build_object('editor', e.editor_id, 'changed', e.difference::json,
        'at', to_char(e.edited_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by e.number), '[]')
      from approvals.edit e where e.tenant_id = a.tenant_id and e.action_id = a.action_id) as edits
  from approvals.action a;
grant select on approvals.shown to {{app}};
