import type { RecordedRows } from '@steward/verification';

/** The rows that must agree with the audit log: actions, votes, the policy, the rules. */
export const recorded: readonly RecordedRows[] = [
  {
    what: 'vote',
    types: ['approvals.action.approved'],
    held: `select tenant_id, concat_ws(' ', action_id, preview_hash, approver_id) as key, 'for' as says from approvals.vote`,
    told: `select concat_ws(' ', e.payload ->> 'action_id', e.payload ->> 'preview_hash', e.chain -> 0 ->> 'principalId') as key, 'for' as says
      where not e.payload ? 'rule_id'`,
  },
  {
    what: 'approval policy',
    types: ['approvals.policy.changed'],
    held: `select tenant_id, 'version' as key,
        concat_ws(' ', version, translate(encode(sha256(convert_to(document, 'UTF8')), 'base64'), '+/=', '-_')) as says from approvals.policy`,
    told: `select 'version' as key, concat_ws(' ', e.payload ->> 'version', e.payload ->> 'document_digest') as says`,
  },
  {
    what: 'standing rule',
    types: ['approvals.standing_rule.created', 'approvals.standing_rule.revoked'],
    held: `select tenant_id, rule_id::text as key, case when revoked_at is null then 'stands' else 'revoked' end as says from approvals.standing_rule`,
    told: `select e.payload ->> 'rule_id' as key, case when e.type = 'approvals.standing_rule.revoked' then 'revoked' else 'stands' end as says`,
  },
  {
    what: 'terms of standing rule',
    types: ['approvals.standing_rule.created'],
    held: `select tenant_id, rule_id::text as key, concat_ws(' ', tool, coalesce(agent_id, '-'), coalesce(currency, '-'), coalesce(most::text, '-'),
        coalesce(daily_most::text, '-'), to_char(valid_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as says
      from approvals.standing_rule`,
    told: `select e.payload ->> 'rule_id' as key, concat_ws(' ', e.payload ->> 'tool', coalesce(e.payload ->> 'agent_id', '-'),
      coalesce(e.payload ->> 'currency', '-'), coalesce(replace(e.payload ->> 'most', '.', '')::numeric::text, '-'),
      coalesce(replace(e.payload ->> 'daily_most', '.', '')::numeric::text, '-'), e.payload ->> 'valid_until') as says`,
  },
  {
    what: 'action',
    types: [
      'requested',
      'edited',
      'approved',
      'returned',
      'executed',
      'failed',
      'rejected',
      'withdrawn',
      'expired',
    ].map((one) => `approvals.action.${one}`),
    held: `select tenant_id, action_id::text as key, concat_ws(' ', tool, state) as says from approvals.action`,
    told: `select e.payload ->> 'action_id' as key, concat_ws(' ', e.payload ->> 'tool', case
      when e.type in ('approvals.action.requested', 'approvals.action.edited', 'approvals.action.returned') then 'pending'
      when e.type = 'approvals.action.approved' and not (e.payload ? 'rule_id' or e.payload ? 'sole_approver')
        and (e.payload ->> 'approvals')::int < (e.payload ->> 'approvals_needed')::int then 'pending'
      else split_part(e.type, '.', 3) end) as says`,
  },
  {
    what: 'arguments of open action',
    types: ['approvals.action.requested', 'approvals.action.edited'],
    held: `select tenant_id, action_id::text as key, translate(encode(sha256(convert_to(arguments, 'UTF8')), 'base64'), '+/=', '-_') as says
      from approvals.action where state in ('pending', 'approved')`,
    // Those of settled ones are erased with the person whom they name.
    told: `select a.action_id::text as key, coalesce(e.payload ->> 'arguments_after', e.payload ->> 'arguments_digest') as says
      from approvals.action a where a.tenant_id = e.tenant_id and a.action_id = (e.payload ->> 'action_id')::uuid
        and a.state in ('pending', 'approved')`,
  },
];
