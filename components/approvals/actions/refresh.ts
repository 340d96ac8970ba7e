import type { Deps } from '../deps.ts';
import { settleActions } from '../permissions.ts';
import { lockTool } from '../policy/evaluate.ts';
import { event } from '../events.ts';
import { actionOf, lockAction, named, shownOf, stateOf, type Action } from './action.ts';
import { bindNow, isShown, rebind } from './bind.ts';
import { driftOf } from './drift.ts';
import type { Ready } from './ready.ts';
import { notFound } from './refusals.ts';
import { ownContext } from './requester.ts';
import { follow } from './settle.ts';

/** Shows a pending action as it has just been rehearsed. */
export async function refresh(deps: Deps, tenant: string, action: Action, ready: Ready): Promise<void> {
  await ownContext(deps, tenant, action, `approvals-${action.id}`)
    .require(settleActions)
    .write(async (tx) => {
      await lockTool(tx, action.tool);
      const [row] = await tx.query(lockAction(tenant, action.id));
      if (row === undefined) throw notFound();
      const held = actionOf(row);
      // Edited in the meantime: the edit has stored new values already.
      if (stateOf(held) !== 'pending' || held.arguments !== ready.arguments) return;
      const bound = await bindNow(deps, tx, held, ready.command, ready);
      // Somebody else's decision has shown it anew in the meantime.
      if (isShown(deps, tenant, held, bound)) return;
      const after = await rebind(deps, tx, held, ready.command, bound, driftOf(deps, held, ready.shown));
      await follow(tx, held, event('approvals.action.renewed', { ...named(held), ...shownOf(after) }));
    });
}
