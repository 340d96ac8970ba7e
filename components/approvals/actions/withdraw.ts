import type { Standing } from '@steward/access';
import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import type { Ground } from '../ground.ts';
import { overseeActions, readActions } from '../permissions.ts';
import { actionOf, lockAction, named, stateOf, type Action, type ActionRow } from './action.ts';
import { getAction } from './get.ts';
import type { ShownAction } from './present.ts';
import { notFound, notPending } from './refusals.ts';
import { follow } from './settle.ts';

/**
 * Takes back what was asked for. An agent takes back its own, a person what any agent asked for on their behalf.
 * @throws Problem `not_found` (404), `not_pending` (409), `insufficient_role` (403) for somebody else's action
 */
export async function withdraw(ground: Ground, context: TenantContext, id: string): Promise<ShownAction> {
  await context.require(readActions).write(async (tx) => {
    const [row] = await tx.query<ActionRow>(lockAction(context.tenant, id));
    if (row === undefined) throw notFound();
    const action = actionOf(row);
    if (!isOwn(context, action)) {
      if (!overseeActions.roles.has(tx.role as Standing)) throw notFound();
      throw fail('insufficient_role', 'Only whoever asked can withdraw; a person can reject it.');
    }
    if (stateOf(action) !== 'pending') throw notPending(action);
    await follow(tx, action, event('approvals.action.withdrawn', named(action)));
    await tx.query(sql`
      update approvals.action set state = 'withdrawn', decided_by = ${context.caller.id}, decided_at = clock_timestamp(),
        settled_at = clock_timestamp()
      where tenant_id = ${context.tenant} and action_id = ${id}`);
  });
  return getAction(ground, context, id);
}

const isOwn = ({ subject, caller }: TenantContext, action: Action): boolean =>
  subject.type === action.subject.type &&
  subject.id === action.subject.id &&
  (caller.type !== 'agent' || caller.id === action.agentId);
