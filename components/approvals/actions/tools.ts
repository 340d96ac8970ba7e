import { counted } from '@steward/kernel';
import { tool, toolOf, type Tool } from '@steward/tools';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { proposes, reads } from '../operations.ts';
import { readActions } from '../permissions.ts';
import { states } from './action.ts';
import { availableFor, shortage } from './available.ts';
import { getAction } from './get.ts';
import { listActions } from './list.ts';
import type { ShownAction } from './schema.ts';
import { withdraw } from './withdraw.ts';

const brief = {
  pendingActionId: z.string(),
  tool: z.string(),
  state: z.enum(states),
  summary: z.string(),
  approvalsNeeded: z.int(),
  approvalsGiven: z.int(),
  requestedAt: z.string(),
  expiresAt: z.string(),
  url: z.string(),
};

const whole = z.object({
  ...brief,
  arguments: z.unknown(),
  preview: z.unknown(),
  facts: z.array(z.unknown()),
  changed: z.array(z.unknown()),
  asOf: z.string(),
  final: z.boolean(),
  reasons: z.array(z.string()),
  edited: z.boolean(),
  reason: z.string().nullable(),
  errorCode: z.string().nullable(),
  result: z.unknown(),
});

const showBrief = (action: ShownAction) => ({
  ...action,
  pendingActionId: action.id,
  approvalsGiven: action.approvals.length,
});

const showWhole = ({ commands }: Deps, action: ShownAction) => ({
  ...showBrief(action),
  asOf: action.shownAt,
  final: commands.get(action.tool)?.tool.final ?? false,
  edited: action.edits.length > 0,
});

const input = z.strictObject({
  pendingActionId: z.uuid().meta({ description: '`pending_action_id` of the result `pending_approval`.' }),
});

/** For agents: what has become of what they asked for. None of them approves. */
export const actionTools: readonly Tool<Deps>[] = [
  toolOf(listActions, {
    core: true,
    annotations: { idempotentHint: true },
    title: 'List pending actions',
    description:
      'Lists commands that need a person’s approval, in every state, newest first: your own, or all if you are owner, ' +
      'admin or accountant.',
    shows: {
      schema: z.object({ actions: z.array(z.object(brief)), nextCursor: z.string().nullable() }),
      of: ({ items, nextCursor }) => ({ actions: items.map(showBrief), nextCursor }),
    },
    say: ({ items }) =>
      `${counted(items.length, 'action')}, ${items.filter(({ state }) => state === 'pending').length} of them pending.`,
  }),
  tool({
    ...reads,
    name: 'service_get_pending_action',
    core: true,
    title: 'Read a pending action',
    description:
      'Reads the state of a command that needs approval, with its preview and, once executed, its result. Use it to ' +
      'follow a call that answered `pending_approval`.',
    input,
    output: whole,
    annotations: { idempotentHint: true },
    run: async ({ context }, { pendingActionId }, deps) => {
      const action = await getAction(deps, context, pendingActionId);
      const available = await availableFor(deps, context.require(readActions), [action]);
      const command = deps.commands.get(action.tool);
      const short = command === undefined ? undefined : shortage(available.get(action.tool), command.tool);
      const summary = [`${action.tool} is ${action.state}.`, short].filter((part) => part !== undefined).join(' ');
      return { summary, data: showWhole(deps, action) };
    },
  }),
  tool({
    ...proposes,
    name: 'service_withdraw_pending_action',
    core: true,
    title: 'Withdraw a pending action',
    description: 'Withdraws a command of your own that still waits for approval. It then never takes effect.',
    input,
    output: whole,
    annotations: { destructiveHint: false, idempotentHint: false },
    run: async ({ context, preview }, { pendingActionId: id }, deps) => {
      const action = await withdraw(context, { id }, deps);
      return { summary: `${preview ? 'Would withdraw' : 'Withdrew'} ${action.tool}.`, data: showWhole(deps, action) };
    },
  }),
];
