import { asItWas, operation, type CallerRole } from '@steward/access';
import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import type { Deps } from '../deps.ts';
import { proposes } from '../operations.ts';
import { overseeActions } from '../permissions.ts';
import { actionOf, lockAction, named, stateOf, type Action } from './action.ts';
import { showAction } from './get.ts';
import { notFound, notPending } from './refusals.ts';
import { describedAction, ownAction } from './schema.ts';
import { follow } from './settle.ts';

/**
 * Takes back what was asked for. An agent takes back its own, a person what any agent asked for on their behalf. Taken back already is success.
 * @throws Problem `not_found` (404), `not_pending` (409), `insufficient_role` (403) for somebody else's action
 */
export const withdraw = operation(
  {
    ...proposes,
    name: 'service_withdraw_pending_action',
    input: z.strictObject({ id: ownAction }),
    answer: describedAction,
    errors: ['not_found', 'not_pending', 'insufficient_role'],
  },
  async (scope, { id }, deps: Deps) => {
    const { context } = scope;
    const before = await scope.write(async (tx) => {
      const [row] = await tx.query(lockAction(context.tenant, id));
      if (row === undefined) throw notFound();
      const action = actionOf(row);
      if (!isOwn(context, action)) {
        if (!overseeActions.roles.has(tx.role as CallerRole)) throw notFound();
        throw fail(
          'insufficient_role',
          'Only the caller who proposed the action can withdraw it. An approver can reject it.',
        );
      }
      if (action.state === 'withdrawn') return action.state;
      if (stateOf(action) !== 'pending') throw notPending(action);
      await follow(tx, action, event('approvals.action.withdrawn', named(action)));
      await tx.query(sql`
      update approvals.action set state = 'withdrawn', decided_by = ${context.caller.id}, decided_at = clock_timestamp(),
        settled_at = clock_timestamp()
      where tenant_id = ${context.tenant} and action_id = ${id}`);
      return action.state;
    });
    const shown = await showAction(deps, context, id);
    return before === 'withdrawn' ? asItWas(shown) : shown;
  },
);

const isOwn = ({ subject, caller }: TenantContext, action: Action): boolean =>
  subject.type === action.subject.type &&
  subject.id === action.subject.id &&
  (caller.type !== 'agent' || caller.id === action.agentId);
