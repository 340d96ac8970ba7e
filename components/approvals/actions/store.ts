import { clientOf } from '@steward/identity';
import { fail, newId } from '@steward/kernel';
import { sql, type Row, type TenantTransaction } from '@steward/sql';
import { digest, type Command, type Proposal, type Tool } from '@steward/tools';
import { errors } from '../errors.ts';
import { event, tell } from '../events.ts';
import type { Deps } from '../deps.ts';
import { judge, lockTool, traitsOf } from '../policy/evaluate.ts';
import { keepOutflow } from '../policy/outflow.ts';
import { policyOf, selectPolicy } from '../policy/policy.ts';
import { queueMail } from '../mail/queue.ts';
import { heldRules, ruleFor } from '../rules/match.ts';
import { actionOf, resultOf, returned, selectByKey, shownOf, type Action } from './action.ts';
import { requireNoErasure } from './erasures.ts';
import { previewHashOf, type Rehearsed } from './preview.ts';
import { seal } from './words.ts';

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
  /** Where `shown` is what was done already, for a rule to cover: the ids that it was recorded under. */
  readonly done?: StoredIds;
}

/** Of an action and its events. */
export interface StoredIds {
  readonly id: string;
  readonly requested: string;
  readonly approved: string;
  readonly executed: string;
}

export const storedIds = (): StoredIds => ({ id: newId(), requested: newId(), approved: newId(), executed: newId() });

/** What deciding goes by, under the locks of deciding. */
export interface Held {
  readonly policy: Row | undefined;
  /** How many actions await people, as far as that is counted. */
  readonly pending: number;
  readonly rules: Awaited<ReturnType<typeof heldRules>>;
}

/**
 * Takes the locks of deciding, behind those of the effect where there is one already.
 * @param likely a rule covers it
 * @throws Problem `conflict` (409) where somebody was erased since
 */
export async function hold(
  deps: Deps,
  tx: TenantTransaction,
  {
    tool,
    agentId,
    erasures,
    likely,
  }: { readonly tool: Tool; readonly agentId: string | undefined; readonly erasures: number; readonly likely: boolean },
): Promise<Held> {
  const [, , [[pending] = [], [policy] = []], rules] = await Promise.all([
    lockTool(tx, tool.name),
    requireNoErasure(tx, erasures),
    tx.queryAll([
      sql`
        select count(*)::int as count from (select from approvals.action
          where tenant_id = ${tx.context.tenant} and state = 'pending' and expires_at > clock_timestamp() limit ${mostPending}) p`,
      selectPolicy,
    ]),
    heldRules(deps, tx, { tool, agentId }, likely),
    tx.mark(),
  ]);
  return { policy, pending: Number(pending?.['count'] ?? 0), rules };
}

/**
 * Stores an action with what it would do, as pending, or as approved where a standing rule covers it, and as executed where it was done.
 * @param held where it is held already
 * @returns the action that was there where its key was used before
 */
export async function store(
  deps: Deps,
  tx: TenantTransaction,
  { proposal, command, asked, requester, policyVersion: toolPolicy, shown, nonce, done }: Asked,
  held?: Held,
): Promise<{ action: Action; fresh: boolean }> {
  const { tool, args } = proposal;
  const { tenant, chain, subject, correlationId } = tx.context;
  const agentId = tx.context.caller.type === 'agent' ? tx.context.caller.id : undefined;
  const clientId = clientOf(tx.context);
  const {
    policy: row,
    pending,
    rules,
  } = held ?? (await hold(deps, tx, { tool, agentId, erasures: shown.erasures, likely: false }));
  if (pending >= mostPending)
    throw errors(
      'too_many_pending',
      `${mostPending} actions wait for approval, the most allowed: withdraw some, or wait for decisions.`,
    );
  const policy = policyOf(deps, row);
  const traits = traitsOf(tool, args, shown);
  const { needed, reasons } = await judge(tx, policy, tool.name, traits);
  const policyVersion = `${toolPolicy}.${policy.version}`;
  const previewHash = previewHashOf({ tool: tool.name, arguments: asked, ...shown, policyVersion, needed });
  const rule = needed === 1 ? await ruleFor(tx, rules, traits) : undefined;
  const ids = done ?? storedIds();
  const { id, requested, approved } = ids;
  const argumentsDigest = digest(asked);
  const state = rule === undefined ? 'pending' : done === undefined ? 'approved' : 'executed';
  const last = { pending: requested, approved, executed: ids.executed }[state];
  const [stored] = await tx.query(
    returned(sql`
    insert into approvals.action as a (tenant_id, action_id, tool, tier, arguments, asked_digest, chain, subject_type, subject_id,
      agent_id, client_id, requester, idempotency_key, summary, preview, facts, effect_digest, versions, policy_version, preview_hash,
      approvals_needed, reasons, currency, amount, payee, state, result, rule_id, correlation_id, last_event_id, nonce, expires_at, decided_at, settled_at,
      lease_until)
    values (${tenant}, ${id}, ${tool.name}, ${tool.tier}, ${asked}, ${argumentsDigest}, ${JSON.stringify(chain)}, ${subject.type},
      ${subject.id}, ${agentId ?? null}, ${clientId ?? null}, ${requester}, ${proposal.idempotencyKey ?? null}, ${shown.summary}, ${shown.preview}, ${JSON.stringify(shown.facts)},
      ${shown.effectDigest}, ${shown.versions}, ${policyVersion}, ${previewHash}, ${needed}, ${reasons}::text[],
      ${traits.money?.currency ?? null}, ${traits.money?.minor ?? null}, ${traits.payee ?? null},
      ${state}, ${state === 'executed' ? resultOf(shown.outcome) : null}, ${rule?.id ?? null}, ${correlationId}, ${last},
      ${rule === undefined ? (nonce ?? null) : null}, clock_timestamp() + make_interval(hours => ${policy.expiryHours}::int),
      case when ${rule !== undefined}::bool then clock_timestamp() end,
      case when ${state === 'executed'}::bool then clock_timestamp() end,
      case when ${state === 'approved'}::bool then clock_timestamp() + interval '2 seconds' end)
    on conflict (tenant_id, requester, tool, idempotency_key) do nothing
    returning a.*`),
  );
  if (stored === undefined) return { action: await ofKey(tx, requester, proposal), fresh: false };
  const action = actionOf(stored);
  // Nobody decides about what is done.
  if (state !== 'executed') await seal(deps, tx, action, true);
  if (traits.flows.length > 0) await keepOutflow(tx, id, tool.name, traits.flows);
  tell(
    tx,
    action,
    event(
      'approvals.action.requested',
      {
        action_id: id,
        tool: tool.name,
        arguments_digest: argumentsDigest,
        ...shownOf(action),
        policy_version: policyVersion,
        approvals_needed: needed,
        reasons,
        expires_at: action.expiresAt,
      },
      { id: requested },
    ),
  );
  if (rule !== undefined) {
    tell(
      tx,
      action,
      event(
        'approvals.action.approved',
        {
          action_id: id,
          tool: tool.name,
          ...shownOf(action),
          approvals: 0,
          approvals_needed: needed,
          rule_id: rule.id,
        },
        { id: approved, correlationId, causalId: requested },
      ),
    );
    return { action, fresh: true };
  }
  await queueMail(deps, tx, id, command.tool);
  return { action, fresh: true };
}

/** The action that the same key made at the same time. */
async function ofKey(tx: TenantTransaction, requester: string, { tool, idempotencyKey }: Proposal): Promise<Action> {
  const [row] = await tx.query(selectByKey(tx.context.tenant, requester, tool.name, idempotencyKey ?? ''));
  if (row === undefined) throw fail('conflict', 'Another call with this idempotency_key was faster: repeat this call.');
  return actionOf(row);
}
