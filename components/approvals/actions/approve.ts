import { Problem } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { decideActions } from '../permissions.ts';
import type { Ground } from '../ground.ts';
import { actionOf, selectAction, stateOf, type Action, type ActionRow } from './action.ts';
import { executeApproved } from './execute.ts';
import { getAction } from './get.ts';
import type { ShownAction } from './present.ts';
import { impossible, makeReady, type Ready } from './ready.ts';
import { refresh } from './refresh.ts';
import { notFound, notPending, stale } from './refusals.ts';
import { Stale, vote } from './vote.ts';

/**
 * One person's approval of exactly what they were shown; with the last one needed the action is carried out.
 * @param previewHash of the action as the person saw it
 * @returns the action as it is then: `executed`, `failed`, `pending` where a second person is needed, or `approved`
 *   where carrying it out was interrupted and goes on by itself
 * @throws Problem `stale_preview` (409) with the action as it is to be shown now; `not_pending` (409) with its state;
 *   `already_approved` (409), `tool_unavailable` (409), `insufficient_role` (403), `not_found` (404)
 */
export async function approve(
  ground: Ground,
  context: TenantContext,
  id: string,
  previewHash: string,
): Promise<ShownAction> {
  const action = await pendingAction(context, id);
  const ready = await readyToDecide(ground, context.tenant, action);
  let approved: Action | undefined;
  try {
    approved = await context.require(decideActions).write(async (tx) => vote(ground, tx, id, previewHash, ready));
  } catch (error) {
    if (!(error instanceof Stale)) throw error;
    await refresh(ground, context.tenant, action, ready);
    throw stale(
      'What you were shown is not what would happen now. Look at the action again and decide anew.',
      await getAction(ground, context, id),
    );
  }
  if (approved !== undefined)
    await executeApproved(ground, context.tenant, approved, context.subject, context.requestId);
  const shown = await getAction(ground, context, id);
  if (approved !== undefined && shown.state === 'pending')
    throw stale('Something changed while the action was being carried out, so it was not. Decide anew.', shown);
  return shown;
}

/** An action to decide about. @throws Problem `not_found`, `not_pending`, `insufficient_role` */
export async function pendingAction(context: TenantContext, id: string): Promise<Action> {
  const [row] = await context.require(decideActions).read<ActionRow>(selectAction(context.tenant, id));
  if (row === undefined) throw notFound();
  const action = actionOf(row);
  if (stateOf(action) !== 'pending') throw notPending(action);
  return action;
}

/** @throws Problem `stale_preview` where the tool refuses now; `tool_unavailable` */
export async function readyToDecide(ground: Ground, tenant: string, action: Action): Promise<Ready> {
  try {
    return await makeReady(ground, tenant, action);
  } catch (error) {
    if (error instanceof Problem && error.status < 500 && error.code !== 'tool_unavailable') throw impossible(error);
    throw error;
  }
}
