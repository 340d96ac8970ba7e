import { operation } from '@steward/access';
import { fail, newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { canonicalJson, digest } from '@steward/tools';
import { z } from 'zod';
import { event, inWorkflow, tell } from '../events.ts';
import type { Deps } from '../deps.ts';
import { approving, decides } from '../operations.ts';
import { lockTool } from '../policy/evaluate.ts';
import { actionOf, lockAction, shownOf, stateOf } from './action.ts';
import { ofBody, readArguments, toolArguments } from './arguments.ts';
import { approve, pendingAction } from './approve.ts';
import { bindNow, rebind } from './bind.ts';
import { differences } from './difference.ts';
import { mayApprove } from './eligible.ts';
import { showAction } from './get.ts';
import { rehearseTwice } from './preview.ts';
import { asRequester } from './ready.ts';
import { notFound, notPending, stale } from './refusals.ts';
import { callerOf, itself } from './requester.ts';
import { actionId, describedAction, previewHash } from './schema.ts';
import { requireNotForged, seal, selectEdits } from './words.ts';

/**
 * Gives the action other arguments: a new preview, with the difference recorded. Approvals of the old one no longer count.
 * @throws Problem `invalid_arguments` (400) with pointers, what the tool throws in its preview, and those of `approve`
 */
export const edit = operation(
  {
    ...decides,
    input: z.strictObject({
      id: actionId,
      previewHash,
      /** In place of those asked for. */
      arguments: toolArguments,
      /** Approve it as edited; otherwise it stays pending with its new preview. */
      approve: z.boolean().default(false),
    }),
    answer: describedAction,
    errors: [...approving, 'invalid_arguments'],
  },
  async (scope, { id, ...edited }, deps: Deps) => {
    const { context } = scope;
    deps.decider.requireFor(context);
    const asked = await pendingAction(context, id);
    const requester = await asRequester(deps, context.tenant, asked, itself, context.requestId);
    const { command } = requester;
    const args = readArguments(command, edited.arguments);
    const text = canonicalJson(JSON.parse(JSON.stringify(args)));
    const shown = await ofBody(command, rehearseTwice(deps, requester.context, callerOf(asked), command, args));
    const shownNow = await scope.write(async (tx) => {
      await lockTool(tx, asked.tool);
      const [row] = await tx.query(lockAction(context.tenant, id));
      if (row === undefined) throw notFound();
      const held = actionOf(row);
      if (stateOf(held) !== 'pending') throw notPending(held);
      if (!mayApprove(command.tool, tx.role))
        throw fail(
          'insufficient_role',
          `The role ${tx.role} may not use ${held.tool}, so it cannot edit this action: ask a member who may.`,
        );
      if (held.previewHash !== edited.previewHash)
        throw stale('The action has changed since you read it: read it again.');
      const [edits] = await tx.query(selectEdits(context.tenant, id));
      requireNotForged(deps, context.tenant, held, edits);
      const changed = differences(JSON.parse(held.arguments), JSON.parse(text));
      const after = await rebind(
        deps,
        tx,
        held,
        command,
        await bindNow(deps, tx, held, command, { shown, arguments: text, args, toolPolicy: requester.toolPolicy }),
      );
      const happened = newId();
      await tx.query(sql`
      insert into approvals.edit (tenant_id, action_id, number, editor_id, difference)
      select ${context.tenant}, ${id}, count(*) + 1, ${context.subject.id}, ${JSON.stringify(changed)}
      from approvals.edit where tenant_id = ${context.tenant} and action_id = ${id}`);
      await seal(deps, tx, after, true);
      await tx.query(sql`
      update approvals.action set last_event_id = ${happened} where tenant_id = ${context.tenant} and action_id = ${id}`);
      tell(
        tx,
        held,
        event(
          'approvals.action.edited',
          {
            action_id: id,
            tool: held.tool,
            arguments_before: digest(held.arguments),
            arguments_after: digest(text),
            changed: changed.map(({ pointer }) => pointer),
            ...shownOf(after),
          },
          { id: happened, ...inWorkflow(held) },
        ),
      );
      return after.previewHash;
    });
    return edited.approve ? approve(context, { id, previewHash: shownNow }, deps) : showAction(deps, context, id);
  },
);
