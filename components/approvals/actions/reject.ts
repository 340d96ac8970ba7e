import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import type { Ground } from '../ground.ts';
import { decideActions } from '../permissions.ts';
import { actionOf, lockAction, named, stateOf, type ActionRow } from './action.ts';
import { getAction } from './get.ts';
import type { ShownAction } from './present.ts';
import { notFound, notPending } from './refusals.ts';
import { follow } from './settle.ts';

/** @param reason is told to whoever asked. @throws Problem `not_found` (404), `not_pending` (409), `insufficient_role` (403) */
export async function reject(ground: Ground, context: TenantContext, id: string, reason: string): Promise<ShownAction> {
  await context.require(decideActions).write(async (tx) => {
    const [row] = await tx.query<ActionRow>(lockAction(context.tenant, id));
    if (row === undefined) throw notFound();
    const action = actionOf(row);
    if (stateOf(action) !== 'pending') throw notPending(action);
    await follow(tx, action, event('approvals.action.rejected', named(action)));
    await tx.query(sql`
      update approvals.action set state = 'rejected', reason = ${reason}, decided_by = ${context.subject.id},
        decided_at = clock_timestamp(), settled_at = clock_timestamp()
      where tenant_id = ${context.tenant} and action_id = ${id}`);
  });
  return getAction(ground, context, id);
}
