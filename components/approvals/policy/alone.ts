import { callerOf, errors as accessErrors } from '@steward/access';
import { fail, newId, Problem, type RecordedEvent } from '@steward/kernel';
import type { TenantContext, TenantTransaction } from '@steward/sql';
import type { Deps } from '../deps.ts';
import { decideActions } from '../permissions.ts';
import { judgeOutflow } from './evaluate.ts';
import { keepOutflow, lockOutflow } from './outflow.ts';
import { policyOf, selectPolicy } from './policy.ts';

/**
 * Whether one person may do at once, by another door, what a tool of tier `approval` does: not where the tenant's policy
 * has two people or a limit for that tool, since only asking for it counts who decided and how much that makes today.
 * @throws Problem `insufficient_role` (403) for who may not decide; `conflict` (409) that names the tool to ask with
 */
export async function requireAlone(deps: Pick<Deps, 'seals'>, context: TenantContext, tool: string): Promise<void> {
  const [row] = await context
    .require(decideActions)
    .read(selectPolicy)
    .catch((error: unknown) => {
      if (!(error instanceof Problem) || error.code !== 'insufficient_role') throw error;
      const how = `propose it with POST /api/pending-actions of the portal, as ${tool}`;
      throw fail('insufficient_role', `This awaits approval here, and your role does not decide: ${how}.`);
    });
  const rule = policyOf(deps, row).tools[tool];
  if (rule?.fourEyes === true || rule?.fourEyesAbove !== undefined || rule?.fourEyesAboveDaily !== undefined)
    throw fail('conflict', `The approval policy may require two people for this: propose it with the tool ${tool}.`);
}

/**
 * Before a transaction commits that was not approved as an action: what it takes out is what one person may let out, by what
 * it did and not by which command did it, and counts from now on in the sums of the day.
 * @param tool what the door does by its own word, where it says so
 * @throws Problem `approval_required` (403) that says how to propose it; for a person what deciding about an action throws
 */
export async function requireOutflowAlone(
  deps: Pick<Deps, 'taken' | 'decider' | 'seals'>,
  tx: TenantTransaction,
  events: readonly RecordedEvent[],
  tool: string | undefined,
): Promise<void> {
  const { context } = tx;
  if (context.action !== undefined) return;
  const taken = await deps.taken(tx, events);
  if (taken === undefined) return;
  const caller = callerOf(context);
  if (caller?.principal.type !== 'user') throw refused(tool, 'an agent or a job may not do this without approval');
  deps.decider.require(caller);
  if (!isDecider(tx.role)) throw refused(tool, `the role ${tx.role} does not decide`);
  await lockOutflow(tx);
  const [row] = await tx.query(selectPolicy);
  const policy = policyOf(deps, row);
  const reasons = await judgeOutflow(tx, policy, tool ?? '', taken.flows);
  if (policy.newPayeeFourEyes && taken.flows.some(({ out }) => out > 0n)) reasons.push('unnamed_payee');
  if (reasons.length > 0) throw refused(tool, `two people must approve it here (${reasons.join(', ')})`);
  // Under the first event of the transaction, so that verification finds what it took.
  await keepOutflow(tx, events[0]?.id ?? newId(), tool ?? '', taken.flows);
}

const isDecider = (role: string): boolean => (decideActions.roles as ReadonlySet<string>).has(role);

function refused(tool: string | undefined, why: string): Error {
  const how = tool === undefined ? 'the tool that does the same' : `the tool ${tool}`;
  return accessErrors(
    'approval_required',
    `This pays money out or settles a debt without payment: ${why}. Propose it with ${how}, or with POST ` +
      '/api/pending-actions of the portal, and approvers decide on its page.',
    tool === undefined ? {} : { members: { tool } },
  );
}
