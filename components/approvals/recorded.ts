import type { RecordedRows } from '@steward/audit';

/** What decides must stand in the audit log: who voted, the policy, the rules. */
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
];
