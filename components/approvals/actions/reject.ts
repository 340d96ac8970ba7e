import { operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import type { Deps } from '../deps.ts';
import { decides, deciding } from '../operations.ts';
import { actionOf, lockAction, named, stateOf } from './action.ts';
import { showAction } from './get.ts';
import { notFound, notPending } from './refusals.ts';
import { actionId, describedAction } from './schema.ts';
import { follow } from './settle.ts';

/** @throws Problem `not_found` (404), `not_pending` (409), `insufficient_role` (403) */
export const reject = operation(
  {
    ...decides,
    input: z.strictObject({
      id: actionId,
      reason: z
        .string()
        .trim()
        .min(1)
        .max(1000)
        .meta({ description: 'The reason, shown to the caller who proposed the action.' }),
    }),
    answer: describedAction,
    errors: [...deciding, 'not_found', 'not_pending'],
  },
  async (scope, { id, reason }, deps: Deps) => {
    const { context } = scope;
    deps.decider.requireFor(context);
    await scope.write(async (tx) => {
      const [row] = await tx.query(lockAction(context.tenant, id));
      if (row === undefined) throw notFound();
      const action = actionOf(row);
      if (stateOf(action) !== 'pending') throw notPending(action);
      await follow(tx, action, event('approvals.action.rejected', named(action)));
      await tx.query(sql`
      update approvals.action set state = 'rejected', reason = ${reason}, decided_by = ${context.subject.id},
        decided_at = clock_timestamp(), settled_at = clock_timestamp()
      where tenant_id = ${context.tenant} and action_id = ${id}`);
    });
    return showAction(deps, context, id);
  },
);
