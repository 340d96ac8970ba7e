import { randomBytes } from 'node:crypto';
import { clientOf } from '@steward/identity';
import { fail, newId, timestamp } from '@steward/kernel';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { canonicalJson, digest, type Command, type Proposal, type Proposed } from '@steward/tools';
import { errors } from '../errors.ts';
import { event } from '../grammar.ts';
import { approvalPage, type Ground } from '../ground.ts';
import { proposeActions } from '../permissions.ts';
import { judge, lockTool, traitsOf } from '../policy/evaluate.ts';
import { keepOutflow } from '../policy/outflow.ts';
import { policyOf, selectPolicy } from '../policy/policy.ts';
import { oweMail } from '../mail/owe.ts';
import { ruleFor } from '../rules/match.ts';
import { actionOf, selectAction, stateOf, type Action, type ActionRow } from './action.ts';
import { availableFor, shortage } from './available.ts';
import { requireNoErasure } from './erasures.ts';
import { execute } from './execute.ts';
import { previewHashOf, rehearseTwice, type Rehearsed } from './preview.ts';
import { proposedOf } from './present.ts';
import { notFound } from './refusals.ts';
import { requesterOf, standingOf } from './requester.ts';

/** Actions that may await people at one time in a tenant, so that nobody drowns them. */
const mostPending = 1_000;

/**
 * Stores a command for people to decide, with what it would do; or carries it out at once where a standing rule covers
 * it. The same key with the same arguments is the same action, whatever has become of it.
 * @throws Problem `idempotency_conflict` (409), `too_many_pending` (429), what the tool throws in its preview, and
 *   `action_…` (409) that says how an action known by its key ended
 */
export async function propose(ground: Ground, context: TenantContext, proposal: Proposal): Promise<Proposed> {
  const { tool, args, caller, idempotencyKey } = proposal;
  const command = ground.commands().get(tool.name);
  if (command === undefined) throw new TypeError(`${tool.name} is not in the catalogue`);
  const asked = canonicalJson(JSON.parse(JSON.stringify(args)));
  const requester = requesterOf(caller);
  if (idempotencyKey !== undefined) {
    const [row] = await context.require(proposeActions).read<ActionRow>(
      sql`select a.*, a.expires_at <= clock_timestamp() as past from approvals.action a
          where a.tenant_id = ${context.tenant} and a.requester = ${requester} and a.tool = ${tool.name} and a.idempotency_key = ${idempotencyKey}`,
    );
    if (row !== undefined) return known(ground, context, actionOf(row), asked);
  }
  const { policyVersion } = await standingOf(ground.standing, caller, context.tenant);
  const shown = await rehearseTwice(ground, context, caller, command, args);
  const nonce = proposal.opensAddresses ? randomBytes(18).toString('base64url') : undefined;
  const { action, fresh } = await context
    .require(proposeActions)
    .write(async (tx) => store(ground, tx, { proposal, command, asked, requester, policyVersion, shown, nonce }));
  if (!fresh) return known(ground, context, action, asked);
  if (action.state === 'approved') {
    const after = await execute(ground, context.tenant, action.id, context.caller, context.requestId);
    return proposedOf(after, tool, ground.portal);
  }
  const proposed = await standingNow(ground, context, action);
  if (nonce === undefined) return proposed;
  const message = `${action.summary} Nothing happens before it is approved on this page.`;
  return {
    ...proposed,
    visit: { url: approvalPage(ground.portal, action.id), message, nonce: `${action.id}.${nonce}` },
  };
}

async function known(ground: Ground, context: TenantContext, action: Action, asked: string): Promise<Proposed> {
  if (action.askedDigest !== digest(asked)) {
    throw fail(
      'idempotency_conflict',
      'This idempotency_key was used with other arguments: choose a new key for a new command.',
    );
  }
  return standingNow(ground, context, action);
}

/** How an action stands, and whether there is nobody who could approve it. */
async function standingNow(ground: Ground, context: TenantContext, action: Action): Promise<Proposed> {
  const tool = ground.commands().get(action.tool)?.tool;
  const asked = { tool: action.tool, state: stateOf(action), approvalsNeeded: action.needed };
  const available = await availableFor(ground, context.require(proposeActions), [asked]);
  const short = tool === undefined ? undefined : shortage(available.get(action.tool), tool);
  return proposedOf(action, tool, ground.portal, short);
}

interface Asked {
  readonly proposal: Proposal;
  readonly command: Command;
  /** Canonical JSON. */
  readonly asked: string;
  readonly requester: string;
  readonly policyVersion: number;
  readonly shown: Rehearsed;
  readonly nonce: string | undefined;
}

async function store(
  ground: Ground,
  tx: TenantTransaction,
  { proposal, command, asked, requester, policyVersion: toolPolicy, shown, nonce }: Asked,
): Promise<{ action: Action; fresh: boolean }> {
  const { tool, args } = proposal;
  const { tenant, chain, subject, correlationId } = tx.context;
  const agentId = tx.context.caller.type === 'agent' ? tx.context.caller.id : undefined;
  const clientId = clientOf(tx.context);
  await lockTool(tx, tool.name);
  await requireNoErasure(tx, shown.erasures);
  const [pending] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from (select from approvals.action
      where tenant_id = ${tenant} and state = 'pending' and expires_at > clock_timestamp() limit ${mostPending}) p`);
  if ((pending?.count ?? 0) >= mostPending)
    throw errors('too_many_pending', `${mostPending} actions await approval: withdraw some, or wait for decisions.`);
  const [row] = await tx.query(selectPolicy);
  const policy = policyOf(ground, row);
  const traits = traitsOf(tool, args, shown);
  const { needed, reasons } = await judge(tx, policy, tool.name, traits);
  const policyVersion = `${toolPolicy}.${policy.version}`;
  const previewHash = previewHashOf({ tool: tool.name, arguments: asked, ...shown, policyVersion, needed });
  const rule = needed === 1 ? await ruleFor(ground, tx, { tool, ...traits, agentId }) : undefined;
  const id = newId();
  const argumentsDigest = digest(asked);
  const requested = newId();
  const approved = rule === undefined ? undefined : newId();
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
  if (stored === undefined) return { action: await held(tx, requester, proposal), fresh: false };
  const action = actionOf(stored);
  if (traits.flows.length > 0) await keepOutflow(tx, id, tool.name, traits.flows);
  tx.record({
    id: requested,
    ...event('approvals.action.requested', {
      action_id: id,
      tool: tool.name,
      arguments_digest: argumentsDigest,
      preview_hash: previewHash,
      policy_version: policyVersion,
      approvals_needed: needed,
      reasons,
      expires_at: timestamp(action.expiresAt.getTime()),
    }),
  });
  if (rule !== undefined && approved !== undefined) {
    tx.record({
      id: approved,
      ...event(
        'approvals.action.approved',
        {
          action_id: id,
          tool: tool.name,
          preview_hash: previewHash,
          approvals: 0,
          approvals_needed: needed,
          rule_id: rule.id,
        },
        { correlationId, lastEventId: requested },
      ),
    });
    return { action, fresh: true };
  }
  await oweMail(ground, tx, id, command.tool);
  return { action, fresh: true };
}

/** The action that the same key made at the same time. */
async function held(tx: TenantTransaction, requester: string, { tool, idempotencyKey }: Proposal): Promise<Action> {
  const [row] = await tx.query<ActionRow>(sql`
    select a.*, a.expires_at <= clock_timestamp() as past from approvals.action a
    where a.tenant_id = ${tx.context.tenant} and a.requester = ${requester} and a.tool = ${tool.name}
      and a.idempotency_key = ${idempotencyKey}`);
  if (row === undefined) throw fail('conflict', 'Another call with this idempotency_key was faster; repeat this one.');
  return actionOf(row);
}

/**
 * How the action stands after its requester's user was sent to its page.
 * @throws Problem `invalid_request` (400) for what was continued before; `action_…` (409) that says how it ended
 */
export async function resume(
  ground: Ground,
  context: TenantContext,
  requester: string,
  visit: string,
): Promise<Proposed> {
  const [id = '', nonce = ''] = visit.split('.');
  const row = await context.require(proposeActions).write(async (tx) => {
    const used = await tx.query(sql`
      update approvals.action set nonce = null
      where tenant_id = ${context.tenant} and action_id = ${id} and requester = ${requester} and nonce = ${nonce} returning action_id`);
    if (used.length === 0)
      throw fail(
        'invalid_request',
        'This requestState was used before: read the action with service_get_pending_action.',
      );
    const [row] = await tx.query<ActionRow>(selectAction(context.tenant, id));
    if (row === undefined) throw notFound();
    return row;
  });
  return standingNow(ground, context, actionOf(row));
}
