import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { canonicalJson, digest } from '@steward/tools';
import { fail } from '@steward/kernel';
import { event, inWorkflow } from '../events.ts';
import type { Ground } from '../ground.ts';
import { decideActions } from '../permissions.ts';
import { lockTool } from '../policy/evaluate.ts';
import { actionOf, lockAction, stateOf, type ActionRow } from './action.ts';
import { approve, pendingAction } from './approve.ts';
import { bindNow, rebind } from './bind.ts';
import { differences } from './difference.ts';
import { mayApprove } from './eligible.ts';
import { getAction } from './get.ts';
import { rehearseTwice } from './preview.ts';
import type { ShownAction } from './present.ts';
import { commandOf } from './ready.ts';
import { notFound, notPending, stale } from './refusals.ts';
import { callerOf, itself, requesterContext } from './requester.ts';

export interface Edited {
  /** Of the action as the person saw it. */
  readonly previewHash: string;
  /** In place of those asked for. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Approve it as edited; otherwise it stays pending with its new preview. */
  readonly approve: boolean;
}

/**
 * Gives the action other arguments: a new preview, with the difference recorded. Approvals of the old one no longer count.
 * @throws Problem `invalid_arguments` (400) with pointers, what the tool throws in its preview, and those of `approve`
 */
export async function edit(ground: Ground, context: TenantContext, id: string, edited: Edited): Promise<ShownAction> {
  const asked = await pendingAction(context, id);
  const { command, toolPolicy } = await commandOf(ground, context.tenant, asked);
  const args = command.check(edited.arguments);
  const text = canonicalJson(JSON.parse(JSON.stringify(args)));
  const requester = requesterContext(ground, context.tenant, asked, itself, context.requestId);
  const shown = await rehearseTwice(ground, requester, callerOf(asked), command, args);
  const previewHash = await context.require(decideActions).write(async (tx) => {
    await lockTool(tx, asked.tool);
    const [row] = await tx.query<ActionRow>(lockAction(context.tenant, id));
    if (row === undefined) throw notFound();
    const held = actionOf(row);
    if (stateOf(held) !== 'pending') throw notPending(held);
    if (!mayApprove(command.tool, tx.role))
      throw fail('insufficient_role', `The role ${tx.role} may not use ${held.tool}, so it may not edit it.`);
    if (held.previewHash !== edited.previewHash) throw stale('The action is not as you saw it: read it again.');
    const changed = differences(JSON.parse(held.arguments), JSON.parse(text));
    const after = await rebind(
      tx,
      held,
      command,
      await bindNow(ground, tx, held, command, { shown, arguments: text, args, toolPolicy }),
    );
    const happened = newId();
    await tx.query(sql`
      insert into approvals.edit (tenant_id, action_id, number, editor_id, difference)
      select ${context.tenant}, ${id}, count(*) + 1, ${context.subject.id}, ${JSON.stringify(changed)}
      from approvals.edit where tenant_id = ${context.tenant} and action_id = ${id}`);
    await tx.query(sql`
      update approvals.action set last_event_id = ${happened} where tenant_id = ${context.tenant} and action_id = ${id}`);
    tx.record(
      event(
        'approvals.action.edited',
        {
          action_id: id,
          tool: held.tool,
          arguments_before: digest(held.arguments),
          arguments_after: digest(text),
          changed: changed.map(({ pointer }) => pointer),
          preview_hash: after.previewHash,
        },
        { id: happened, ...inWorkflow(held) },
      ),
    );
    return after.previewHash;
  });
  return edited.approve ? approve(ground, context, id, previewHash) : getAction(ground, context, id);
}
