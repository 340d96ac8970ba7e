import { clientOf } from '@steward/identity';
import { fail, newId, timestamp } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { digest, type Command, type Proposal } from '@steward/tools';
import { errors } from '../errors.ts';
import { event } from '../events.ts';
import type { Ground } from '../ground.ts';
import { judge, lockTool, traitsOf } from '../policy/evaluate.ts';
import { keepOutflow } from '../policy/outflow.ts';
import { type ApprovalPolicy, policyOf, selectPolicy } from '../policy/policy.ts';
import { oweMail } from '../mail/owe.ts';
import { heldRules, ruleFor, type Rule } from '../rules/match.ts';
import { actionOf, type Action, type ActionRow } from './action.ts';
import { requireNoErasure } from './erasures.ts';
import { previewHashOf, type Rehearsed } from './preview.ts';

/** Actions that may await people at one time in a tenant, so that nobody drowns them. */
const mostPending = 1_000;

export interface Asked {
  readonly proposal: Proposal;
  readonly command: Command;
  /** Canonical JSON. */
  readonly asked: string;
  readonly requester: string;
  readonly policyVersion: number;
  readonly shown: Rehearsed;
  readonly nonce: string | undefined;
  /** Of the action and its first events, where something was recorded as theirs before: what a rule was seen to cover, and was done. */
  readonly ids?: StoredIds;
}

export interface StoredIds {
  readonly id: string;
  readonly requested: string;
  readonly approved: string;
}

export const storedIds = (): StoredIds => ({ id: newId(), requested: newId(), approved: newId() });

/**
 * Stores an action with what it would do, as pending, or as approved where a standing rule covers it.
 * @returns the action that was there where its key was used before
 */
export async function store(
  ground: Ground,
  tx: TenantTransaction,
  { proposal, command, asked, requester, policyVersion: toolPolicy, shown, nonce, ids: given }: Asked,
): Promise<{ action: Action; fresh: boolean; policy: ApprovalPolicy; rule: Rule | undefined }> {
  const { tool, args } = proposal;
  const { tenant, chain, subject, correlationId } = tx.context;
  const agentId = tx.context.caller.type === 'agent' ? tx.context.caller.id : undefined;
  const clientId = clientOf(tx.context);
  const [, , [[pending] = [], [row] = []], held] = await Promise.all([
    lockTool(tx, tool.name),
    requireNoErasure(tx, shown.erasures),
    tx.queryAll([
      sql`
        select count(*)::int as count from (select from approvals.action
          where tenant_id = ${tenant} and state = 'pending' and expires_at > clock_timestamp() limit ${mostPending}) p`,
      selectPolicy,
    ]),
    heldRules(ground, tx, { tool, agentId }, given !== undefined),
    tx.mark(),
  ]);
  if (Number(pending?.['count'] ?? 0) >= mostPending)
    throw errors('too_many_pending', `${mostPending} actions await approval: withdraw some, or wait for decisions.`);
  const policy = policyOf(ground, row);
  const traits = traitsOf(tool, args, shown);
  const { needed, reasons } = await judge(tx, policy, tool.name, traits);
  const policyVersion = `${toolPolicy}.${policy.version}`;
  const previewHash = previewHashOf({ tool: tool.name, arguments: asked, ...shown, policyVersion, needed });
  const rule = needed === 1 ? await ruleFor(tx, held, traits) : undefined;
  const ids = given ?? storedIds();
  const { id, requested } = ids;
  const argumentsDigest = digest(asked);
  const approved = rule === undefined ? undefined : ids.approved;
  const [stored] = await tx.query<ActionRow>(sql`
    insert into approvals.action as a (tenant_id, action_id, tool, tier, arguments, asked_digest, chain, subject_type, subject_id,
      agent_id, client_id, requester, idempotency_key, summary, preview, facts, effect_digest, versions, policy_version, preview_hash,
      approvals_needed, reasons, currency, amount, payee, state, rule_id, correlation_id, last_event_id, nonce, expires_at, decided_at, lease_until)
    values (${tenant}, ${id}, ${tool.name}, ${tool.tier}, ${asked}, ${argumentsDigest}, ${JSON.stringify(chain)}, ${subject.type},
      ${subject.id}, ${agentId ?? null}, ${clientId ?? null}, ${requester}, ${proposal.idempotencyKey ?? null}, ${shown.summary}, ${shown.preview}, ${JSON.stringify(shown.facts)},
      ${shown.effectDigest}, ${shown.versions}, ${policyVersion}, ${previewHash}, ${needed}, ${reasons}::text[],
      ${traits.money?.currency ?? null}, ${traits.money?.minor ?? null}, ${traits.payee ?? null},
      ${rule === undefined ? 'pending' : 'approved'}, ${rule?.id ?? null}, ${correlationId}, ${approved ?? requested},
      ${rule === undefined ? (nonce ?? null) : null}, clock_timestamp() + make_interval(hours => ${policy.expiryHours}::int),
      case when ${rule !== undefined}::bool then clock_timestamp() end,
      case when ${rule !== undefined}::bool then clock_timestamp() + interval '2 seconds' end)
    on conflict (tenant_id, requester, tool, idempotency_key) do nothing
    returning a.*, false as past`);
  if (stored === undefined) return { action: await ofKey(tx, requester, proposal), fresh: false, policy, rule };
  const action = actionOf(stored);
  if (traits.flows.length > 0) await keepOutflow(tx, id, tool.name, traits.flows);
  tx.record(
    event(
      'approvals.action.requested',
      {
        action_id: id,
        tool: tool.name,
        arguments_digest: argumentsDigest,
        preview_hash: previewHash,
        policy_version: policyVersion,
        approvals_needed: needed,
        reasons,
        expires_at: timestamp(action.expiresAt.getTime()),
      },
      { id: requested },
    ),
  );
  if (rule !== undefined && approved !== undefined) {
    tx.record(
      event(
        'approvals.action.approved',
        {
          action_id: id,
          tool: tool.name,
          preview_hash: previewHash,
          approvals: 0,
          approvals_needed: needed,
          rule_id: rule.id,
        },
        { id: approved, correlationId, causalId: requested },
      ),
    );
    return { action, fresh: true, policy, rule };
  }
  await oweMail(ground, tx, id, command.tool);
  return { action, fresh: true, policy, rule };
}

/** The action that the same key made at the same time. */
async function ofKey(tx: TenantTransaction, requester: string, { tool, idempotencyKey }: Proposal): Promise<Action> {
  const [row] = await tx.query<ActionRow>(sql`
    select a.*, a.expires_at <= clock_timestamp() as past from approvals.action a
    where a.tenant_id = ${tx.context.tenant} and a.requester = ${requester} and a.tool = ${tool.name}
      and a.idempotency_key = ${idempotencyKey}`);
  if (row === undefined) throw fail('conflict', 'Another call with this idempotency_key was faster; repeat this one.');
  return actionOf(row);
}
