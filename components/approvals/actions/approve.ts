import { operation } from '@steward/access';
import { Problem } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { z } from 'zod';
import { approving, decides } from '../operations.ts';
import { decideActions } from '../permissions.ts';
import type { Deps } from '../deps.ts';
import { actionOf, selectAction, stateOf, type Action } from './action.ts';
import { executeApproved } from './execute.ts';
import { getAction, showAction } from './get.ts';
import { impossible, makeReady, type Ready } from './ready.ts';
import { refresh } from './refresh.ts';
import { notFound, notPending, stale } from './refusals.ts';
import { actionId, describedAction, previewHash } from './schema.ts';
import { Stale, vote } from './vote.ts';

/**
 * One person's approval of exactly what they saw; the last approval needed executes the action.
 * @returns the action afterwards: `executed`, `failed`, `pending` if a second person is needed, or `approved`
 *   if the execution was interrupted and continues by itself
 * @throws Problem `stale_preview` (409) with the action as it is to be shown now; `not_pending` (409) with its state;
 *   `already_approved` (409), `tool_unavailable` (409), `insufficient_role` (403), `not_found` (404)
 */
export const approve = operation(
  {
    ...decides,
    input: z.strictObject({ id: actionId, previewHash }),
    answer: describedAction,
    errors: approving,
  },
  async (scope, { id, previewHash: seen }, deps: Deps) => {
    const { context } = scope;
    deps.decider.requireFor(context);
    const action = await pendingAction(context, id);
    const ready = await readyToDecide(deps, context.tenant, action);
    let approved: Action | undefined;
    try {
      approved = await scope.write(async (tx) => vote(deps, tx, id, seen, ready));
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
      if (!error.shown) await refresh(deps, context.tenant, action, ready);
      throw stale(`${error.message} Read it again, then decide.`, await getAction(deps, context, id));
    }
    if (approved !== undefined)
      await executeApproved(deps, context.tenant, approved, context.subject, context.requestId);
    const shown = await showAction(deps, context, id);
    if (approved !== undefined && shown.state === 'pending')
      throw stale(
        'Data changed while the action was being executed, so it was not executed. Read it again, then decide.',
        shown,
      );
    return shown;
  },
);

/** An action to decide about. @throws Problem `not_found`, `not_pending`, `insufficient_role` */
export async function pendingAction(context: TenantContext, id: string): Promise<Action> {
  const [row] = await context.require(decideActions).read(selectAction(context.tenant, id));
  if (row === undefined) throw notFound();
  const action = actionOf(row);
  if (stateOf(action) !== 'pending') throw notPending(action);
  return action;
}

/** @throws Problem `stale_preview` where the tool refuses now; `tool_unavailable` */
export async function readyToDecide(deps: Deps, tenant: string, action: Action): Promise<Ready> {
  try {
    return await makeReady(deps, tenant, action);
  } catch (error) {
    if (error instanceof Problem && error.status < 500 && error.code !== 'tool_unavailable') throw impossible(error);
    throw error;
  }
}
