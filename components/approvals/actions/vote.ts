import { fail, newId } from '@steward/kernel';
import { type Row, sql, type TenantTransaction } from '@steward/sql';
import type { Tool } from '@steward/tools';
import { errors } from '../errors.ts';
import { event, inWorkflow, tell } from '../events.ts';
import type { Deps } from '../deps.ts';
import { toolLock } from '../policy/evaluate.ts';
import { selectPolicy } from '../policy/policy.ts';
import { actionOf, lockAction, returned, shownOf, stateOf, type Action } from './action.ts';
import { bindNow, isShown } from './bind.ts';
import { decidedBy, eligibleOf, haveOneOrigin, mayApprove, peopleOf, votedAs } from './eligible.ts';
import type { Ready } from './ready.ts';
import { notFound, notPending } from './refusals.ts';
import { requireNotForged, selectEdits } from './words.ts';

/** What the person saw is not what would happen now. */
export class Stale extends Error {
  override readonly name = 'Stale';
  /** Whether what is shown is what would happen: then they named something else, and nothing is to be shown anew. */
  readonly shown: boolean;
  constructor(shown: boolean) {
    super(
      shown
        ? 'The previewHash is not that of what the action shows.'
        : 'The action would now do something else than you were shown.',
    );
    this.shown = shown;
  }
}

/**
 * One person's approval of what they were shown, in the transaction of the decision.
 * @returns the approved action, to be carried out, where that was the last one needed
 * @throws Stale; Problem `not_found`, `not_pending`, `insufficient_role`, `already_approved`
 */
export async function vote(
  deps: Deps,
  tx: TenantTransaction,
  id: string,
  previewHash: string,
  ready: Ready,
): Promise<Action | undefined> {
  const { tenant, subject } = tx.context;
  const tool = decidedBy(ready.command.tool, ready.args, ready.shown.outcome);
  const [, locked = [], policy, [edits] = []] = await tx.queryAll([
    toolLock(tenant, tool.name),
    lockAction(tenant, id),
    selectPolicy,
    selectEdits(tenant, id),
  ]);
  const [row] = locked;
  if (row === undefined) throw notFound();
  const action = actionOf(row);
  if (stateOf(action) !== 'pending') throw notPending(action);
  if (!mayApprove(tool, tx.role))
    throw fail(
      'insufficient_role',
      `The role ${tx.role} may not use ${tool.name}, so it cannot approve this action: ask a member who may.`,
    );
  requireNotForged(deps, tenant, action, edits);
  const now = await bindNow(deps, tx, action, ready.command, ready, policy);
  const shown = isShown(deps, tenant, action, now);
  if (!shown || previewHash !== action.previewHash) throw new Stale(shown);
  const seal = deps.seals.of('vote', [tenant, id, previewHash, subject.id]);
  const [cast = [], rows = []] = await tx.queryAll([
    sql`
      insert into approvals.vote (tenant_id, action_id, preview_hash, approver_id, seal)
      values (${tenant}, ${id}, ${previewHash}, ${subject.id}, ${seal}) on conflict do nothing returning approver_id`,
    sql`
      select approver_id as approver, voted_at, seal from approvals.vote
      where tenant_id = ${tenant} and action_id = ${id} and preview_hash = ${previewHash}`,
  ]);
  const { counting, sole } = await countVotes(deps, tx, action, rows, { tool, soleApprover: now.policy.soleApprover });
  const count = counting.length;
  // Somebody who approved before may say so again where that is enough now: the policy lets one person do, or another who counts is back.
  if (cast.length === 0 && !sole && count < action.approvalsNeeded)
    throw errors('already_approved', 'You have approved this already: another person must approve as well.');
  const others = counting.filter(({ approver }) => approver !== subject.id);
  const origins =
    action.approvalsNeeded > 1 && others.length > 0
      ? await deps.identity.memberships.origins({ read: tx.query })
      : undefined;
  const kin = others.find(
    ({ approver }) => origins !== undefined && haveOneOrigin(origins, String(approver), subject.id),
  );
  if (kin !== undefined)
    throw errors(
      'already_approved',
      'You and somebody who approved this brought one another into the organization, or one administrator brought both: an owner, or a person whom ' +
        'an owner brought, must approve as well.',
    );
  const approved = count >= action.approvalsNeeded || sole;
  const happened = newId();
  const [after] = await tx.query(
    returned(sql`
    update approvals.action set last_event_id = ${happened}, state = case when ${approved}::bool then 'approved' else state end,
      decided_at = case when ${approved}::bool then clock_timestamp() end,
      lease_until = case when ${approved}::bool then clock_timestamp() + interval '2 seconds' end
    where tenant_id = ${tenant} and action_id = ${id} returning *`),
  );
  tell(
    tx,
    action,
    event(
      'approvals.action.approved',
      {
        action_id: id,
        tool: tool.name,
        ...shownOf(action),
        approvals: count,
        approvals_needed: action.approvalsNeeded,
        ...(sole ? { sole_approver: true } : {}),
      },
      { id: happened, ...inWorkflow(action) },
    ),
  );
  return approved && after !== undefined ? actionOf(after) : undefined;
}

/**
 * The votes about an action, as it is shown, that count: cast here, and of more than one that it takes, by people who may approve it now. A voter who
 * has lost the right since no longer counts, nor does one who left and came back: what they say as who they are now does.
 * @returns also whether one is enough where more are wanted: of the only approver, whom the policy lets decide alone
 */
export async function countVotes(
  deps: Pick<Deps, 'identity' | 'seals'>,
  tx: TenantTransaction,
  { id, approvalsNeeded, previewHash }: Pick<Action, 'id' | 'approvalsNeeded' | 'previewHash'>,
  rows: readonly Row[],
  { tool, soleApprover }: { readonly tool: Pick<Tool, 'requires'>; readonly soleApprover: boolean },
): Promise<{ readonly counting: readonly Row[]; readonly sole: boolean }> {
  const { tenant } = tx.context;
  const votes = rows.filter((row) => isCast(deps, { tenant, id, previewHash }, row));
  if (approvalsNeeded < 2) return { counting: votes, sole: false };
  const people = eligibleOf(await peopleOf(deps, { read: tx.query }), tool);
  const eligible = new Map(people.map((one) => [one.principal.id, one]));
  const counting = votes.filter(({ approver, voted_at }) => {
    const member = eligible.get(String(approver));
    return member !== undefined && votedAs(member, (voted_at as Date).getTime());
  });
  return { counting, sole: soleApprover && eligible.size < approvalsNeeded && counting.length > 0 };
}

/** Whether a vote about an action, as it is shown, was cast here: a row that somebody else wrote is none. */
export const isCast = (
  { seals }: Pick<Deps, 'seals'>,
  { tenant, id, previewHash }: { readonly tenant: string; readonly id: string; readonly previewHash: string },
  row: Row,
): boolean => seals.holds(row['seal'], 'vote', [tenant, id, previewHash, String(row['approver'])]);
