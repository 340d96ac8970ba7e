import type { Fixed } from '@steward/contract';
import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { readAction } from './get.ts';
import { listActions } from './list.ts';
import { describedAction, type DescribedAction } from './schema.ts';
import { withdraw } from './withdraw.ts';

const { id: pendingActionId, ...members } = describedAction.shape;
const named = z.object({ pendingActionId, ...members, approvalsGiven: z.int() });

const brief = named.pick({
  pendingActionId: true,
  tool: true,
  state: true,
  summary: true,
  approvalsNeeded: true,
  approvalsGiven: true,
  requestedAt: true,
  expiresAt: true,
  url: true,
});

const anything = z.array(z.unknown());

/** Without what a decision names: no agent decides. Lists of tools are sent to models, so what is inside is not described there. */
const whole = named
  .omit({
    argumentsDigest: true,
    previewHash: true,
    policyVersion: true,
    versions: true,
    shownAt: true,
    agentNames: true,
  })
  .extend({
    asOf: members.shownAt,
    edited: z.boolean(),
    facts: anything,
    changed: anything,
    edits: anything,
    approvals: anything,
    names: z.unknown(),
    available: z.unknown(),
    requestedBy: anything,
  });

const show = (action: DescribedAction): Fixed<z.output<typeof named> & z.output<typeof whole>> => ({
  ...action,
  pendingActionId: action.id,
  approvalsGiven: action.approvals.length,
  asOf: action.shownAt,
  edited: action.edits.length > 0,
});

const one = {
  takes: { id: 'pendingActionId' },
  shows: { schema: whole, of: show },
} as const;

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
      schema: z.object({ actions: z.array(brief), nextCursor: z.string().nullable() }),
      of: ({ items, nextCursor }) => ({ actions: items.map(show), nextCursor }),
    },
    say: ({ items }) =>
      `${counted(items.length, 'action')}, ${items.filter(({ state }) => state === 'pending').length} of them pending.`,
  }),
  toolOf(readAction, {
    ...one,
    core: true,
    annotations: { idempotentHint: true },
    title: 'Read a pending action',
    description:
      'Reads the state of a command that needs approval, with its preview and, once executed, its result. Use it to ' +
      'follow a call that answered `pending_approval`.',
    say: ({ tool, state, summary, available }) =>
      [`${tool} is ${state}: ${summary}`, available?.shortage].filter((part) => typeof part === 'string').join(' '),
  }),
  toolOf(withdraw, {
    ...one,
    // What it answers is what would be approved, and each rehearsal ends it at another time, by the system.
    shows: { schema: whole.omit({ decidedAt: true, decidedBy: true, settledAt: true }), of: show },
    core: true,
    annotations: { destructiveHint: false, idempotentHint: false },
    title: 'Withdraw a pending action',
    description: 'Withdraws a command of your own that still waits for approval. It then never takes effect.',
    say: ({ tool }, preview) => `${preview ? 'Would withdraw' : 'Withdrew'} ${tool}.`,
  }),
];
