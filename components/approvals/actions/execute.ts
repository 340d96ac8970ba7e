import { isDeepStrictEqual } from 'node:util';
import { newId, Problem, problemOf, type PrincipalRef, type RecordedEvent } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { digest, type Outcome } from '@steward/tools';
import { event, inWorkflow, tell } from '../events.ts';
import type { Deps } from '../deps.ts';
import { proposeActions, settleActions } from '../permissions.ts';
import { judge, traitsOf } from '../policy/evaluate.ts';
import { keepOutflow } from '../policy/outflow.ts';
import { type ApprovalPolicy, policyOf, selectPolicy } from '../policy/policy.ts';
import { ruleHolds } from '../rules/match.ts';
import { decidedBy } from './eligible.ts';
import { actionOf, lockAction, resultOf, selectAction, stateOf, type Action } from './action.ts';
import { isSameEffect, previewHashOf, tryIn } from './preview.ts';
import { asRequester, type Requester } from './ready.ts';
import { notFound } from './refusals.ts';
import { callerOf, ownContext } from './requester.ts';
import { countVotes } from './vote.ts';
import { isAsAsked, selectEdits } from './words.ts';
import { giveBack, markExpired, markFailed, tryLater } from './settle.ts';

/** The action must not be carried out on the strength of what was approved. */
class Returned extends Error {
  readonly why: string;
  constructor(why: string) {
    super(why);
    this.why = why;
  }
}

/**
 * Executes an approved action once, however often and by whomever this is called: effect, state and audit events
 * are one transaction under a lock on the action. That transaction rehearses the tool again and compares the answer
 * with what was approved; if they differ, nothing happens and people must decide again.
 * @param by who decided; recorded beside the chain of the proposer
 * @returns the action afterwards; it throws only if the database is out of reach
 */
export async function execute(
  deps: Deps,
  tenant: string,
  id: string,
  by: PrincipalRef,
  requestId: string,
): Promise<Action> {
  const read = async (): Promise<Action> => {
    const context = ownContext(deps, tenant, { correlationId: requestId, lastEventId: id }, requestId);
    const [row] = await context.require(settleActions).read(selectAction(tenant, id));
    if (row === undefined) throw notFound();
    return actionOf(row);
  };
  const action = await read();
  if (stateOf(action) === 'expired' && action.state !== 'expired') {
    await markExpired(deps, tenant, action);
    return read();
  }
  if (action.state !== 'approved') return action;
  await executeApproved(deps, tenant, action, by, requestId);
  return read();
}

/** The same for an action that was just read or written as approved; whether it still is, is asked under the lock. */
export async function executeApproved(
  deps: Deps,
  tenant: string,
  action: Action,
  by: PrincipalRef,
  requestId: string,
): Promise<void> {
  const { id } = action;
  try {
    const requester = await asRequester(deps, tenant, action, by, requestId);
    await requester.context.require(proposeActions).write(async (tx) => carryOut(deps, tx, id, requester, action));
  } catch (error) {
    if (error instanceof Returned) await giveBack(deps, tenant, action, error.why);
    else if (error instanceof Problem && error.status < 500) await markFailed(deps, tenant, action, error);
    else {
      deps.log.error({ err: error, requestId, action: id, tool: action.tool }, 'an approved action was interrupted');
      await tryLater(deps, tenant, action, problemOf(error));
    }
  }
}

async function carryOut(
  deps: Deps,
  tx: TenantTransaction,
  id: string,
  { command, toolPolicy }: Requester,
  read: Action,
): Promise<void> {
  const { tenant } = tx.context;
  const [locked = [], [policy] = [], votes = [], [edits] = []] = await tx.queryAll([
    lockAction(tenant, id),
    selectPolicy,
    sql`
      select approver_id as approver, voted_at, seal from approvals.vote
      where tenant_id = ${tenant} and action_id = ${id} and preview_hash = ${read.previewHash} order by voted_at`,
    selectEdits(tenant, id),
  ]);
  const [row] = locked;
  if (row === undefined) throw notFound();
  const action = actionOf(row);
  // Another process was faster, or the action's time is over: the caller reads the present state.
  if (stateOf(action) !== 'approved') return;
  if (!isAsAsked(deps, tenant, action, edits) || !isSameAsker(action, read)) throw new Returned('stale_preview');
  if (`${toolPolicy}.${policyOf(deps, policy).version}` !== action.policyVersion) throw new Returned('policy_changed');

  // Whatever changed the row in between, only what the hash says was approved.
  if (previewHashOf({ ...action, needed: action.approvalsNeeded }) !== action.previewHash)
    throw new Returned('stale_preview');

  const called = { command, caller: callerOf(action), args: JSON.parse(action.arguments) as unknown };
  const tried = await tryIn(deps, tx, tx.context, called);
  if (!isSameEffect(tried.shown, action)) throw new Returned('stale_preview');
  // Nor do rows that were written past the application count as people who approved, nor people who may not approve it any more: the state of a row
  // does not tell that enough did.
  const { counting, sole } = await countVotes(deps, tx, action, votes, {
    tool: decidedBy(command.tool, called.args, tried.shown.outcome),
    soleApprover: policyOf(deps, policy).soleApprover,
  });
  if (action.ruleId === null && counting.length < action.approvalsNeeded && !sole) throw new Returned('votes_missing');
  const outcome = await tried.carryOut(tx, called.caller);
  if (outcome === undefined) throw new Returned('stale_preview');
  const traits = traitsOf(command.tool, called.args, { ...tried.shown, outcome });
  if (action.ruleId !== null && !(await ruleHolds(deps, tx, action, command.tool, traits)))
    throw new Returned('rule_ended');
  await requireStillEnough(tx, policyOf(deps, policy), action, traits);
  // Nobody votes about what a rule decided.
  const approvers = action.ruleId === null ? counting.map(({ approver }) => String(approver)) : [];
  markExecuted(tx, action, outcome, approvers);
}

/** Nobody was put in place of the asker between reading the action, whose asker this transaction acts as, and locking it. */
const isSameAsker = (a: Action, b: Action): boolean =>
  isDeepStrictEqual(
    [a.requestedBy, a.subject, a.agentId, a.clientId],
    [b.requestedBy, b.subject, b.agentId, b.clientId],
  );

/** What was done at once since, by any door, leaves less room under the limits of the day than there was for one person. */
async function requireStillEnough(
  tx: TenantTransaction,
  policy: ApprovalPolicy,
  action: Action,
  traits: ReturnType<typeof traitsOf>,
): Promise<void> {
  if (traits.flows.length === 0) return;
  const { needed } = await judge(tx, policy, action.tool, traits, action.id);
  if (needed > action.approvalsNeeded) throw new Returned('limit_reached');
  await keepOutflow(tx, action.id, action.tool, traits.flows);
}

/** Of an action that this transaction holds; with the commit. */
function markExecuted(tx: TenantTransaction, action: Action, outcome: Outcome, approvers: readonly string[]): void {
  const happened = newId();
  const result = resultOf(outcome);
  tx.later(sql`
    update approvals.action set state = 'executed', result = ${result},
      last_event_id = ${happened}, settled_at = clock_timestamp(), lease_until = null
    where tenant_id = ${tx.context.tenant} and action_id = ${action.id}`);
  tell(tx, action, executed(action, happened, approvers, result));
}

/** That an action was carried out. @param approvers the people who decided; none where a rule did. @param result as it is stored */
export const executed = (action: Action, id: string, approvers: readonly string[], result: string): RecordedEvent =>
  event(
    'approvals.action.executed',
    {
      action_id: action.id,
      tool: action.tool,
      preview_hash: action.previewHash,
      approvers: [...approvers],
      result_digest: digest(result),
      ...(action.ruleId === null ? {} : { rule_id: action.ruleId }),
    },
    { id, ...inWorkflow(action) },
  );
