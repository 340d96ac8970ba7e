import { factsDigest, shownDigest } from './actions/action.ts';
import { actor, instantOf, rowOf, type DerivedRows, type RecordedRows } from '@steward/verification';

const actionId = `(e.payload ->> 'action_id')::uuid`;
const ruleId = `(e.payload ->> 'rule_id')::uuid`;
const sha256 = (text: string): string =>
  `translate(encode(sha256(convert_to(${text}, 'UTF8')), 'base64'), '+/=', '-_')`;
const millisecond = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** Whether a vote was the last one that was needed. */
const decided = `(e.payload ? 'rule_id' or e.payload ? 'sole_approver' or (e.payload ->> 'approvals')::int >= (e.payload ->> 'approvals_needed')::int)`;
/** Of a person whose data was erased, it says nothing any more. */
const erased = `summary = 'Erased.' and arguments = '{}' and preview = 'null' and result is null and payee is null and facts = '[]' and state not in ('pending', 'approved')`;
/** Facts about a person whose data was erased are gone from an action that says nothing of them itself. */
const factsErased = `(a.tenant_id, a.action_id) in (select v.tenant_id, (v.event::jsonb #>> '{payload,action_id}')::uuid
  from audit.event v where v.type = 'approvals.action.facts_erased')`;

/** As long as it stays approved, it says what people, or a rule, approved. */
const carried = `a.state in ('approved', 'executed', 'failed') and not (${erased})`;
const shownAs = (words: string, facts: string): string =>
  `concat_ws(' ', ${words}, case when not ${factsErased} then ${facts} end)`;

/** As long as people decide about it, it is about to be carried out, or nothing came of it. */
const open = `a.state not in ('executed', 'failed') and not (${erased})`;
const shownNow = `concat_ws(' ', a.preview_hash, ${shownAs(shownDigest, factsDigest)})`;

/**
 * Who asked for an action, as its row has it: the subject, and who acted for them. A person's own token at a tool endpoint has its client in
 * the chain and acts as the person, which the event does not tell from an agent's: either is right.
 */
const askedAs = ({ type, id }: { readonly type: string; readonly id: string }): string =>
  sha256(
    `'[' || concat_ws(',', to_json(${actor.type}), to_json(${actor.id}), to_json(${type}), to_json(${id})) || ']'`,
  );

/** The rows that must agree with the audit log: actions, votes, edits, the policy, the rules. */
export const recorded: readonly (DerivedRows | RecordedRows)[] = [
  {
    what: 'vote',
    types: ['approvals.action.approved'],
    held: `select tenant_id, concat_ws(' ', action_id, preview_hash, approver_id) as key, voted_at::text as says from approvals.vote`,
    told: `select concat_ws(' ', e.payload ->> 'action_id', e.payload ->> 'preview_hash', ${actor.id}) as key, (${instantOf('voted_at')})::text as says
      ${rowOf('approvals.vote', 'action_id', actionId)} and r.preview_hash = e.payload ->> 'preview_hash' and r.approver_id = ${actor.id}
      where not e.payload ? 'rule_id'`,
  },
  {
    what: 'approval policy',
    types: ['approvals.policy.changed'],
    held: `select tenant_id, 'version' as key,
        concat_ws(' ', version, ${sha256('document')}, changed_at) as says from approvals.policy`,
    told: `select 'version' as key, concat_ws(' ', e.payload ->> 'version', e.payload ->> 'document_digest', ${instantOf('changed_at')}) as says
      ${rowOf('approvals.policy', 'tenant_id', 'e.tenant_id')}`,
  },
  {
    what: 'standing rule',
    types: ['approvals.standing_rule.created', 'approvals.standing_rule.revoked'],
    held: `select tenant_id, rule_id::text as key, concat_ws(' ', 'revoked', revoked_by, revoked_at) as says from approvals.standing_rule
      where num_nonnulls(revoked_by, revoked_at) > 0
      union all select tenant_id, rule_id::text, 'stands' from approvals.standing_rule where num_nonnulls(revoked_by, revoked_at) = 0`,
    told: `select e.payload ->> 'rule_id' as key, case when e.type = 'approvals.standing_rule.revoked'
        then concat_ws(' ', 'revoked', ${actor.id}, ${instantOf('revoked_at')}) else 'stands' end as says
      ${rowOf('approvals.standing_rule', 'rule_id', ruleId)}`,
  },
  {
    what: 'terms of standing rule',
    types: ['approvals.standing_rule.created'],
    held: `select tenant_id, rule_id::text as key, concat_ws(' ', tool, coalesce(agent_id, '-'), coalesce(currency, '-'), coalesce(most::text, '-'),
        coalesce(daily_most::text, '-'), ${millisecond('valid_until')}, created_by, created_at) as says
      from approvals.standing_rule`,
    told: `select e.payload ->> 'rule_id' as key, concat_ws(' ', e.payload ->> 'tool', coalesce(e.payload ->> 'agent_id', '-'),
      coalesce(e.payload ->> 'currency', '-'), coalesce(replace(e.payload ->> 'most', '.', '')::numeric::text, '-'),
      coalesce(replace(e.payload ->> 'daily_most', '.', '')::numeric::text, '-'), e.payload ->> 'valid_until', ${actor.id},
      ${instantOf('created_at')}) as says ${rowOf('approvals.standing_rule', 'rule_id', ruleId)}`,
  },
  {
    what: 'action',
    types: [
      'requested',
      'edited',
      'renewed',
      'approved',
      'returned',
      'executed',
      'failed',
      'rejected',
      'withdrawn',
      'expired',
    ].map((one) => `approvals.action.${one}`),
    held: `select tenant_id, action_id::text as key, concat_ws(' ', tool, state, last_event_id, 'settled ' || settled_at, error_code, 'by ' || decided_by,
        'as ' || cause, case when state in ('approved', 'executed') then preview_hash end) as says from approvals.action`,
    told: `select e.payload ->> 'action_id' as key, concat_ws(' ', e.payload ->> 'tool', s.state, e.id,
        case when s.state not in ('pending', 'approved') then 'settled ' || (${instantOf('settled_at')}) end, e.payload ->> 'code',
        case when s.state = 'rejected' or s.state = 'withdrawn' and not e.payload ? 'cause' then 'by ' || (e.caller ->> 'principalId')
          when s.state = 'withdrawn' then 'by ' || (${actor.id}) end,
        case when s.state = 'withdrawn' then 'as ' || (e.payload ->> 'cause') end,
        case when s.state in ('approved', 'executed') then e.payload ->> 'preview_hash' end) as says
      ${rowOf('approvals.action', 'action_id', actionId)}
      cross join lateral (select case
        when e.type in ('approvals.action.requested', 'approvals.action.edited', 'approvals.action.renewed', 'approvals.action.returned') then 'pending'
        when e.type = 'approvals.action.approved' and not ${decided} then 'pending'
        else split_part(e.type, '.', 3) end as state) s`,
  },
  {
    what: 'asking for action',
    types: ['approvals.action.requested'],
    held: `select tenant_id, action_id::text as key, concat_ws(' ', asked_digest, ${millisecond('expires_at')}, chain, subject_type, subject_id,
        'agent ' || agent_id, 'client ' || client_id, requester, correlation_id, requested_at) as says from approvals.action`,
    told: `select e.payload ->> 'action_id' as key, concat_ws(' ', e.payload ->> 'arguments_digest', e.payload ->> 'expires_at', (
          select '[' || string_agg('{"type":' || to_json(p ->> 'principalType') || ',"id":' || to_json(p ->> 'principalId') || '}', ',' order by n) || ']'
          from jsonb_array_elements(e.chain) with ordinality as p (p, n)),
        ${actor.type}, ${actor.id}, case when e.chain #>> '{-1,principalType}' = 'agent' then 'agent ' || (e.chain #>> '{-1,principalId}') end, 'client ' || e.client,
        case when r.requester = ${askedAs(actor)} then r.requester else ${askedAs({ type: `e.chain -> -1 ->> 'principalType'`, id: `e.chain -> -1 ->> 'principalId'` })} end, e.workflow, ${instantOf('requested_at')}) as says
      ${rowOf('approvals.action', 'action_id', actionId)}`,
  },
  {
    what: 'decision about action',
    types: ['requested', 'edited', 'approved', 'returned', 'rejected', 'withdrawn'].map(
      (one) => `approvals.action.${one}`,
    ),
    held: `select tenant_id, action_id::text as key, concat_ws(' ', 'rule ' || rule_id, 'at ' || decided_at) as says from approvals.action`,
    // What a rule had approved and was withdrawn since still names the rule.
    told: `select e.payload ->> 'action_id' as key, concat_ws(' ',
        'rule ' || case e.type when 'approvals.action.approved' then ${ruleId} when 'approvals.action.withdrawn' then r.rule_id end,
        case when e.type in ('approvals.action.rejected', 'approvals.action.withdrawn') or e.type = 'approvals.action.approved' and ${decided}
          then 'at ' || (${instantOf('decided_at')}) end) as says
      ${rowOf('approvals.action', 'action_id', actionId)}`,
  },
  {
    what: 'digest that was approved of action',
    from: 'its tool, arguments, effect, policy and number of people',
    held: `select tenant_id, action_id::text as key, preview_hash as says from approvals.action where not (${erased})`,
    due: `select tenant_id, action_id::text as key, ${sha256(`'[' || concat_ws(',', '"preview/v1"', to_json(tool), to_json(arguments), to_json(effect_digest),
      to_json(versions), to_json(policy_version), approvals_needed) || ']'`)} as says from approvals.action where not (${erased})`,
  },
  {
    what: 'what people approved of action',
    types: ['approvals.action.approved'],
    held: `select a.tenant_id, a.action_id::text as key, ${shownAs(shownDigest, factsDigest)} as says
      from approvals.action a where ${carried}`,
    // Events of before these digests have none.
    told: `select a.action_id::text as key, ${shownAs(
      `coalesce(e.payload ->> 'shown_digest', ${shownDigest})`,
      `coalesce(e.payload ->> 'facts_digest', ${factsDigest})`,
    )} as says
      from approvals.action a where a.tenant_id = e.tenant_id and a.action_id = ${actionId} and ${carried}`,
  },
  {
    what: 'what people were shown of action',
    types: ['requested', 'edited', 'renewed', 'returned'].map((one) => `approvals.action.${one}`),
    // Nor has it come to anything yet.
    held: `select a.tenant_id, a.action_id::text as key, concat_ws(' ', ${shownNow}, a.result) as says from approvals.action a where ${open}`,
    // Events of before these digests have none.
    told: `select a.action_id::text as key, case when e.payload ? 'shown_digest'
        then concat_ws(' ', e.payload ->> 'preview_hash', ${shownAs(`e.payload ->> 'shown_digest'`, `e.payload ->> 'facts_digest'`)}) else ${shownNow} end as says
      from approvals.action a where a.tenant_id = e.tenant_id and a.action_id = ${actionId} and ${open}`,
  },
  {
    what: 'erasure of action',
    types: ['approvals.action.erased'],
    held: `select tenant_id, action_id::text as key, 'erased' as says from approvals.action where ${erased}`,
    told: `select e.payload ->> 'action_id' as key, 'erased' as says`,
  },
  {
    what: 'result of action',
    types: ['approvals.action.executed'],
    held: `select a.tenant_id, a.action_id::text as key, coalesce(${sha256('a.result')}, 'none') as says
      from approvals.action a where a.state = 'executed' and not (${erased})`,
    // Events of before these digests have none.
    told: `select a.action_id::text as key, coalesce(e.payload ->> 'result_digest', ${sha256('a.result')}) as says
      from approvals.action a where a.tenant_id = e.tenant_id and a.action_id = ${actionId} and a.state = 'executed' and not (${erased})`,
  },
  {
    what: 'edit of action',
    from: 'the events of it',
    held: `select tenant_id, concat_ws(' ', action_id, number) as key, concat_ws(' ', editor_id, edited_at) as says from approvals.edit`,
    due: `select e.tenant_id, concat_ws(' ', e.action_id, e.number) as key, concat_ws(' ', e.editor, ${instantOf('edited_at')}) as says
      from (
        select v.tenant_id, v.occurred_at, v.received_at, (v.event::jsonb #>> '{payload,action_id}')::uuid as action_id, v.event::jsonb #>> '{principalChain,0,principalId}' as editor,
          row_number() over (partition by v.tenant_id, v.event::jsonb #>> '{payload,action_id}' order by v.sequence) as number
        from audit.event v where v.type = 'approvals.action.edited') e
      left join approvals.edit r on r.tenant_id = e.tenant_id and r.action_id = e.action_id and r.number = e.number`,
  },
  {
    what: 'arguments of action',
    types: ['approvals.action.requested', 'approvals.action.edited'],
    held: `select tenant_id, action_id::text as key, ${sha256('arguments')} as says
      from approvals.action where not (${erased})`,
    told: `select a.action_id::text as key, coalesce(e.payload ->> 'arguments_after', e.payload ->> 'arguments_digest') as says
      from approvals.action a where a.tenant_id = e.tenant_id and a.action_id = ${actionId} and not (${erased})`,
  },
];
