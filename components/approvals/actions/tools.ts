import { pageLimit } from '@steward/contract';
import { counted } from '@steward/kernel';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import type { Ground } from '../ground.ts';
import { states } from './action.ts';
import { availableFor, shortage } from './available.ts';
import { proposeActions, readActions } from '../permissions.ts';
import { getAction } from './get.ts';
import { listActions } from './list.ts';
import type { ShownAction } from './present.ts';
import { withdraw } from './withdraw.ts';

const brief = {
  pending_action_id: z.string(),
  tool: z.string(),
  state: z.enum(states),
  summary: z.string(),
  approvals_needed: z.int(),
  approvals_given: z.int(),
  requested_at: z.string(),
  expires_at: z.string(),
  url: z.string(),
};

const whole = z.object({
  ...brief,
  arguments: z.unknown(),
  preview: z.unknown(),
  facts: z.array(z.unknown()),
  changed: z.array(z.unknown()),
  as_of: z.string(),
  final: z.boolean(),
  reasons: z.array(z.string()),
  edited: z.boolean(),
  reason: z.string().nullable(),
  error_code: z.string().nullable(),
  result: z.unknown(),
});

const showBrief = (action: ShownAction) => ({
  pending_action_id: action.id,
  tool: action.tool,
  state: action.state,
  summary: action.summary,
  approvals_needed: action.approvalsNeeded,
  approvals_given: action.approvals.length,
  requested_at: action.requestedAt,
  expires_at: action.expiresAt,
  url: action.url,
});

const showWhole = ({ commands }: Ground, action: ShownAction) => ({
  ...showBrief(action),
  arguments: action.arguments,
  preview: action.preview,
  facts: action.facts,
  changed: action.changed,
  as_of: action.shownAt,
  final: commands.get(action.tool)?.tool.final ?? false,
  reasons: action.reasons,
  edited: action.edits.length > 0,
  reason: action.reason,
  error_code: action.errorCode,
  result: action.result,
});

const id = z.uuid().meta({ description: '`pending_action_id` of the result that said `pending_approval`.' });
const shared = {
  pillar: 'portal',
  core: true,
  everywhere: true,
  surfaces: ['public', 'internal'],
  personas: [],
} as const;

/** For agents: what has become of what they asked for. None of them approves. */
export const actionTools: readonly Tool<Ground>[] = [
  tool({
    ...shared,
    name: 'service_list_pending_actions',
    title: 'List pending actions',
    description:
      'Lists commands that wait for a person to approve, or waited, newest first: your own, and all of them where your role oversees them.',
    kind: 'query',
    tier: 'read',
    input: z.strictObject({
      limit: pageLimit.meta({ description: 'How many at most.' }),
      cursor: z.uuid().optional().meta({ description: '`next_cursor` of the page before.' }),
      state: z.enum(states).optional().meta({ description: 'Only those in this state.' }),
      tool: z.string().max(64).optional().meta({ description: 'Only those of this tool.' }),
    }),
    output: z.object({ actions: z.array(z.object(brief)), next_cursor: z.string().nullable() }),
    annotations: { idempotentHint: true },
    requires: readActions,
    run: async ({ context }, args, ground) => {
      const { items, nextCursor } = await listActions(ground, context, args, args);
      const open = items.filter(({ state }) => state === 'pending').length;
      return {
        summary: `${counted(items.length, 'action')}, ${open} of them pending.`,
        data: { actions: items.map(showBrief), next_cursor: nextCursor },
      };
    },
  }),
  tool({
    ...shared,
    name: 'service_get_pending_action',
    title: 'Read a pending action',
    description:
      'Tells what has become of a command that waits for approval, with its preview and, once carried out, its result.',
    kind: 'query',
    tier: 'read',
    input: z.strictObject({ pending_action_id: id }),
    output: whole,
    annotations: { idempotentHint: true },
    requires: readActions,
    run: async ({ context }, { pending_action_id: asked }, ground) => {
      const action = await getAction(ground, context, asked);
      const available = await availableFor(ground, context.require(readActions), [action]);
      const command = ground.commands.get(action.tool);
      const short = command === undefined ? undefined : shortage(available.get(action.tool), command.tool);
      const summary = [`${action.tool} is ${action.state}.`, short].filter((part) => part !== undefined).join(' ');
      return { summary, data: showWhole(ground, action) };
    },
  }),
  tool({
    ...shared,
    name: 'service_withdraw_pending_action',
    title: 'Withdraw a pending action',
    description: 'Takes back a command of your own that still waits for approval. It then never takes effect.',
    kind: 'command',
    tier: 'write',
    input: z.strictObject({ pending_action_id: id }),
    output: whole,
    annotations: { destructiveHint: false, idempotentHint: false },
    requires: proposeActions,
    run: async ({ context, preview }, { pending_action_id: asked }, ground) => {
      const action = await withdraw(ground, context, asked);
      return { summary: `${preview ? 'Would withdraw' : 'Withdrew'} ${action.tool}.`, data: showWhole(ground, action) };
    },
  }),
];
