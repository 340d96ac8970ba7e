import type { Deps } from '../deps.ts';
import { settleActions } from '../permissions.ts';
import { lockTool } from '../policy/evaluate.ts';
import { actionOf, lockAction, stateOf, type Action } from './action.ts';
import { bindNow, rebind } from './bind.ts';
import { driftOf } from './drift.ts';
import type { Ready } from './ready.ts';
import { notFound } from './refusals.ts';
import { ownContext } from './requester.ts';

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
      await rebind(
        deps,
        tx,
        held,
        ready.command,
        await bindNow(deps, tx, held, ready.command, ready),
        driftOf(deps, held, ready.shown),
      );
    });
}
