import { randomBytes } from 'node:crypto';
import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { canonicalJson, digest, type Command, type Proposal, type Proposed } from '@steward/tools';
import { approvalPage, type Deps } from '../deps.ts';
import { proposeActions } from '../permissions.ts';
import { actionOf, selectAction, selectByKey, stateOf, type Action } from './action.ts';
import { carryOutAtOnce } from './at-once.ts';
import { availableFor, shortage } from './available.ts';
import { execute } from './execute.ts';
import { canBeDoneTwice, rehearseTwice } from './preview.ts';
import { proposedOf } from './present.ts';
import { notFound } from './refusals.ts';
import { requesterOf, requireAccessProfile } from './requester.ts';
import { store } from './store.ts';

/**
 * Stores a command for people to decide, with what it would do; or carries it out at once where a standing rule covers
 * it, or would change nothing. The same key with the same arguments is the same action, whatever has become of it.
 * @throws Problem `idempotency_conflict` (409), `too_many_pending` (429), what the tool throws in its preview, and
 *   `action_…` (409) that says how an action known by its key ended
 */
export async function propose(deps: Deps, context: TenantContext, proposal: Proposal): Promise<Proposed> {
  const { tool, args, caller, idempotencyKey } = proposal;
  const command = deps.commands.get(tool.name);
  if (command === undefined) throw new TypeError(`${tool.name} is not in the catalogue`);
  const asked = canonicalJson(JSON.parse(JSON.stringify(args)));
  const requester = requesterOf(caller);
  if (idempotencyKey !== undefined) {
    const [row] = await context
      .require(proposeActions)
      .read(selectByKey(context.tenant, requester, tool.name, idempotencyKey));
    if (row !== undefined) return known(deps, context, actionOf(row), asked);
  }
  const { policyVersion } = await requireAccessProfile(deps.accessProfile, caller, context);
  const atOnce = await carryOutAtOnce(deps, context, { proposal, command, asked, requester, policyVersion });
  if (atOnce !== undefined) return proposedOf(atOnce, tool, deps.portal);
  const shown = await rehearseTwice(deps, context, caller, command, args);
  if (shown.outcome.unchanged === true) return { outcome: shown.outcome };
  const nonce = proposal.opensAddresses ? randomBytes(18).toString('base64url') : undefined;
  const { action, fresh } = await context
    .require(proposeActions)
    .write(async (tx) => store(deps, tx, { proposal, command, asked, requester, policyVersion, shown, nonce }));
  if (!fresh) return known(deps, context, action, asked);
  if (action.state === 'approved') {
    const after = await execute(deps, context.tenant, action.id, context.caller, context.requestId);
    return proposedOf(after, tool, deps.portal);
  }
  const proposed = await withTwin(deps, context, { proposal, command }, action, await actionNow(deps, context, action));
  if (nonce === undefined) return proposed;
  const message = `${action.summary} Nothing happens before it is approved on this page.`;
  return {
    ...proposed,
    visit: { url: approvalPage(deps.portal, action.id), message, nonce: `${action.id}.${nonce}` },
  };
}

/**
 * Names the pending action that would do the same: of the same arguments, or of others that change the same rows in the same way. Other
 * arguments that change no row may differ in what no preview shows.
 */
async function withTwin(
  deps: Deps,
  context: TenantContext,
  { proposal, command }: { readonly proposal: Proposal; readonly command: Command },
  action: Action,
  proposed: Proposed,
): Promise<Proposed> {
  const { id, tool, effectDigest, versions } = action;
  const changes = action.facts.some((fact) => deps.binding.boundFact(fact).after !== undefined);
  const [twin] = await context.require(proposeActions).read<{ action_id: string }>(sql`
    select action_id from approvals.action
    where tenant_id = ${context.tenant} and tool = ${tool} and state = 'pending' and expires_at > clock_timestamp()
      and (arguments = ${action.arguments} or ${changes}::bool and effect_digest = ${effectDigest} and versions = ${versions})
      and action_id <> ${id} order by requested_at, action_id limit 1`);
  if (twin === undefined) return proposed;
  const twice = await canBeDoneTwice(deps, context, proposal.caller, command, proposal.args);
  const advice = twice
    ? 'Withdraw this one, unless it is to be done twice.'
    : 'It can be done only once: withdraw this one.';
  const warning = `The action ${twin.action_id} waits for the same already. ${advice}`;
  return { ...proposed, outcome: { ...proposed.outcome, warning } };
}

async function known(deps: Deps, context: TenantContext, action: Action, asked: string): Promise<Proposed> {
  if (action.askedDigest !== digest(asked)) {
    throw fail(
      'idempotency_conflict',
      'This idempotency_key was used with other arguments: choose a new key for a new command.',
    );
  }
  return actionNow(deps, context, action);
}

/** The state of an action, and whether nobody could approve it. */
async function actionNow(deps: Deps, context: TenantContext, action: Action): Promise<Proposed> {
  const tool = deps.commands.get(action.tool)?.tool;
  const asked = { tool: action.tool, state: stateOf(action), approvalsNeeded: action.approvalsNeeded };
  const available = await availableFor(deps, context.require(proposeActions), [asked]);
  const short = tool === undefined ? undefined : shortage(available.get(action.tool), tool);
  return proposedOf(action, tool, deps.portal, short);
}

/**
 * The state of the action after its requester's user was sent to its page.
 * @throws Problem `invalid_request` (400) for what was continued before; `action_…` (409) that says how it ended
 */
export async function resume(deps: Deps, context: TenantContext, requester: string, visit: string): Promise<Proposed> {
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
    const [row] = await tx.query(selectAction(context.tenant, id));
    if (row === undefined) throw notFound();
    return row;
  });
  return actionNow(deps, context, actionOf(row));
}
