import { sql, type Row, type TenantTransaction } from '@steward/sql';
import type { Command } from '@steward/tools';
import type { Deps } from '../deps.ts';
import { judge, traitsOf } from '../policy/evaluate.ts';
import { keepOutflow } from '../policy/outflow.ts';
import { policyOf, selectPolicy, type ApprovalPolicy } from '../policy/policy.ts';
import { actionOf, returned, type Action } from './action.ts';
import { requireNoErasure } from './erasures.ts';
import { isSameEffect, previewHashOf, type Rehearsed } from './preview.ts';
import { isSealed, seal } from './words.ts';
import type { Drift } from './difference.ts';

/** What an action would be now: everything that is bound, judged by the policy of this moment. */
export interface Bound {
  readonly shown: Rehearsed;
  /** Canonical JSON. */
  readonly arguments: string;
  readonly args: unknown;
  readonly policy: ApprovalPolicy;
  readonly policyVersion: string;
  readonly needed: number;
  readonly reasons: readonly string[];
  readonly previewHash: string;
}

/**
 * Under `lockTool`. While nothing bound has changed, a second person once asked for stays asked for.
 * @param known the policy's row where it was read under that lock already
 */
export async function bindNow(
  deps: Pick<Deps, 'seals' | 'commands'>,
  tx: TenantTransaction,
  action: Action,
  command: Command,
  now: { readonly shown: Rehearsed; readonly arguments: string; readonly args: unknown; readonly toolPolicy: number },
  known?: readonly Row[],
): Promise<Bound> {
  await requireNoErasure(tx, now.shown.erasures);
  const [row] = known ?? (await tx.query(selectPolicy));
  const policy = policyOf(deps, row);
  const policyVersion = `${now.toolPolicy}.${policy.version}`;
  const judged = await judge(tx, policy, action.tool, traitsOf(command.tool, now.args, now.shown), action.id);
  const same =
    policyVersion === action.policyVersion && now.arguments === action.arguments && isSameEffect(now.shown, action);
  const kept = same && action.approvalsNeeded > judged.needed;
  const needed = kept ? action.approvalsNeeded : judged.needed;
  const reasons = kept ? action.reasons : judged.reasons;
  const previewHash = previewHashOf({ tool: action.tool, ...now, ...now.shown, policyVersion, needed });
  return { ...now, policy, policyVersion, needed, reasons, previewHash };
}

/** Whether an action shows already what it would be now, in the words of the application. */
export const isShown = (deps: Pick<Deps, 'seals' | 'commands'>, tenant: string, action: Action, now: Bound): boolean =>
  now.arguments === action.arguments && now.previewHash === action.previewHash && isSealed(deps, tenant, action);

/**
 * Stores new values to show of a pending action: approvals of the earlier values no longer count.
 * @param drift what changed against the earlier values, if nobody changed the arguments
 */
export async function rebind(
  deps: Pick<Deps, 'seals'>,
  tx: TenantTransaction,
  action: Action,
  command: Command,
  bound: Bound,
  drift?: readonly Drift[],
): Promise<Action> {
  const { shown, policyVersion, needed, reasons, previewHash } = bound;
  const { money, flows, payee } = traitsOf(command.tool, bound.args, shown);
  const { id } = action;
  await keepOutflow(tx, id, action.tool, flows);
  await tx.mark();
  const [row] = await tx.query(
    returned(sql`
    update approvals.action set arguments = ${bound.arguments}, summary = ${shown.summary}, preview = ${shown.preview},
      facts = ${JSON.stringify(shown.facts)}, drift = ${drift === undefined ? null : JSON.stringify(drift)}, shown_at = clock_timestamp(),
      effect_digest = ${shown.effectDigest}, versions = ${shown.versions}, policy_version = ${policyVersion}, preview_hash = ${previewHash},
      approvals_needed = ${needed}, reasons = ${reasons}::text[], currency = ${money?.currency ?? null}, amount = ${money?.minor ?? null},
      payee = ${payee ?? null}, state = 'pending', rule_id = null, decided_at = null, lease_until = null
    where tenant_id = ${tx.context.tenant} and action_id = ${id}
    returning *`),
  );
  if (row === undefined) throw new Error('an action that was locked is gone');
  const after = actionOf(row);
  await seal(deps, tx, after, false);
  return after;
}
