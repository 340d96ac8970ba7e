import { callerOf, errors as accessErrors, isBoundUnder, takesPeople } from '@steward/access';
import { newId, Problem, type RecordedEvent } from '@steward/kernel';
import type { TenantContext, TenantTransaction } from '@steward/sql';
import type { Tool } from '@steward/tools';
import { shortage, type Available } from '../actions/available.ts';
import { eligibleFor } from '../actions/eligible.ts';
import type { Deps } from '../deps.ts';
import { event } from '../events.ts';
import { decideActions } from '../permissions.ts';
import { judgeOutflow } from './evaluate.ts';
import { keepOutflow, lockOutflow } from './outflow.ts';
import { policyOf, selectPolicy, type ApprovalPolicy } from './policy.ts';

/**
 * Whether one person may do at once, by another door, what a tool of tier `approval` does: not where the tenant's policy
 * has two people or a limit for that tool, since only asking for it counts who decided and how much that makes today.
 * @throws Problem `approval_required` (403) that names the tool to propose it with; `insufficient_role` (403) for who may not even propose it
 */
export async function requireAlone(
  deps: Pick<Deps, 'seals' | 'accessProfile' | 'commands'>,
  context: TenantContext,
  { name, requires }: Pick<Tool, 'name' | 'requires'>,
): Promise<void> {
  const [row] = await context
    .require(decideActions)
    .read(selectPolicy)
    .catch(async (error: unknown) => {
      if (!(error instanceof Problem) || error.code !== 'insufficient_role') throw error;
      const caller = callerOf(context);
      const { role } = (caller === undefined ? undefined : await deps.accessProfile(caller, context.tenant)) ?? {};
      if (role === undefined || !requires.roles.has(role)) throw error;
      throw waits(name, `the role ${role} does not decide`);
    });
  const rule = policyOf(deps, row).tools[name];
  if (rule?.fourEyes === true || rule?.fourEyesAbove !== undefined || rule?.fourEyesAboveDaily !== undefined)
    throw waits(name, 'the approval policy may require two people for it');
}

/**
 * Before a transaction commits that was not approved as an action: what it takes out is what one person may let out, by what
 * it did and not by which command did it, and counts from now on in the sums of the day. Where two people are wanted, the only approver may, if the policy
 * lets that person decide alone: an action of theirs would ask nobody else.
 * @param tool what the door does by its own word, where it says so
 * @returns what to record beside the events: that the only approver decided
 * @throws Problem `approval_required` (403) that says how to propose it; for a person what deciding about an action throws
 */
export async function requireOutflowAlone(
  deps: Pick<Deps, 'taken' | 'decider' | 'seals' | 'commands' | 'identity'>,
  tx: TenantTransaction,
  events: readonly RecordedEvent[],
  tool: string | undefined,
): Promise<readonly RecordedEvent[]> {
  const { context } = tx;
  if (context.action !== undefined) return [];
  const taken = await deps.taken(tx, events);
  if (taken === undefined) return [];
  const caller = callerOf(context);
  if (caller?.principal.type !== 'user') throw refused(tool, 'an agent or a job may not do this without approval');
  if (!isDecider(tx.role)) throw refused(tool, `the role ${tx.role} does not decide`);
  await lockOutflow(tx);
  const [row] = await tx.query(selectPolicy);
  const policy = policyOf(deps, row);
  const reasons = await judgeOutflow(tx, policy, tool ?? '', taken.flows);
  if (policy.newPayeeFourEyes && taken.flows.some(({ out }) => out > 0n)) reasons.push('unnamed_payee');
  const decides = tool === undefined ? undefined : deps.commands.get(tool)?.tool;
  const command = decides ?? { requires: decideActions };
  const available = reasons.length === 0 ? undefined : await availableNow(deps, tx, policy, command);
  if (available?.alone === false)
    throw refused(tool, `two people must approve it here (${reasons.join(', ')})`, {
      approvers: available.approvers.length,
      short: shortage(available, command),
    });
  // After that: who has to propose it anyway needs no login that decides.
  deps.decider.require(caller);
  // Under the first event of the transaction, so that verification finds what it took.
  const id = events[0]?.id ?? newId();
  await keepOutflow(tx, id, tool ?? '', taken.flows);
  if (available === undefined) return [];
  return [event('approvals.outflow.decided_alone', { tool: tool ?? null, reasons }, { causalId: id })];
}

/** Who could approve it, as of this transaction. It is alone with the caller only if the caller is that person. */
async function availableNow(
  deps: Pick<Deps, 'identity'>,
  tx: TenantTransaction,
  { soleApprover }: ApprovalPolicy,
  tool: Pick<Tool, 'requires'>,
): Promise<Available> {
  const approvers = await eligibleFor(deps, { read: tx.query }, tool);
  const [only] = approvers.length === 1 ? approvers : [];
  return { approvers, alone: soleApprover && only?.principal.id === tx.context.subject.id };
}

/**
 * Before a transaction commits: what only people bring about was approved, or a person did it. Of what nobody called, as the platform's own work, nothing
 * is asked.
 * @throws Problem `approval_required` (403), of the kind that the tool endpoint proposes instead
 */
export async function requirePeople(
  { accessProfile }: Pick<Deps, 'accessProfile'>,
  { context }: Pick<TenantTransaction, 'context'>,
  events: readonly RecordedEvent[],
  tool: string | undefined,
): Promise<void> {
  const why = events.find((one) => one.takesPeople !== undefined)?.takesPeople;
  const caller = callerOf(context);
  if (why === undefined || caller === undefined || context.action !== undefined) return;
  const held = await accessProfile(caller, context.tenant);
  if (caller.service || (held !== undefined && isBoundUnder(caller, held))) throw takesPeople(why, tool);
}

const waits = (tool: string, why: string): Error =>
  accessErrors(
    'approval_required',
    `This awaits approval here: ${why}. Propose it with the tool ${tool}, or with POST /api/pending-actions of the portal, and ` +
      'approvers decide on its page.',
    { members: { tool } },
  );

const isDecider = (role: string): boolean => (decideActions.roles as ReadonlySet<string>).has(role);

/** @param lacks how many there are to approve it, and what to know where there are not two */
function refused(
  tool: string | undefined,
  why: string,
  lacks?: { readonly approvers: number; readonly short: string | undefined },
): Error {
  const how = tool === undefined ? 'the tool that does the same' : `the tool ${tool}`;
  return accessErrors(
    'approval_required',
    `This pays money out or settles a debt without payment: ${why}. Propose it with ${how}, or with POST ` +
      '/api/pending-actions of the portal, and approvers decide on its page.' +
      (lacks?.short === undefined ? '' : ` ${lacks.short}`),
    {
      members: {
        ...(tool === undefined ? {} : { tool }),
        ...(lacks === undefined ? {} : { approvers: lacks.approvers }),
      },
    },
  );
}
