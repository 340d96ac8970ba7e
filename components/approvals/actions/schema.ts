import type { Fixed } from '@steward/contract';
import { z } from 'zod';
import { asked, decisions, ending } from './action.ts';

export const actionId = z.uuid();
export const ownAction = actionId.meta({
  description: '`pending_action_id` of the result `pending_approval`.',
});
export const previewHash = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'Give the previewHash of the action that you read')
  .meta({ description: '`previewHash` of the action that the person saw. The decision counts only for that preview.' });

/** A pending action as REST shows it. */
export const shownAction = z.object({
  ...asked.answer.shape,
  arguments: z.unknown(),
  argumentsDigest: z.string(),
  versions: z.record(z.string(), z.string()),
  ...decisions.answer.shape,
  ...ending.answer.shape,
  url: z.string(),
});
export type ShownAction = Fixed<z.output<typeof shownAction>>;

/** With what people call its tool and those it names. */
export const describedAction = shownAction.extend({
  title: z.string().meta({ description: 'What the tool is called.' }),
  final: z.boolean().meta({ description: 'true: the action cannot be undone once it is executed.' }),
  names: z
    .record(z.string(), z.string())
    .meta({ description: 'Display names, by id, of the members that the action names.' }),
  agentNames: z.record(z.string(), z.string()).meta({
    description:
      'Names, by id, that the agents which asked for the action registered with. An agent chose its name and anybody may choose the same: show the id beside it.',
  }),
  available: z
    .object({
      approvers: z.int().meta({ description: 'Number of members whose role lets them approve the action.' }),
      counting: z
        .int()
        .meta({ description: 'Number of their approvals. Approvals of members who have lost the right do not count.' }),
      alone: z.boolean().meta({ description: 'Whether the policy lets the only approver decide alone.' }),
      shortage: z.string().nullable().meta({ description: 'What to do where there are too few approvers, else null.' }),
    })
    .nullable()
    .meta({ description: 'The approvers, where the action needs two people; else null.' }),
});
export type DescribedAction = Fixed<z.output<typeof describedAction>>;

/** What a list of many shows of each. */
export const actionSummary = describedAction.pick({
  id: true,
  tool: true,
  title: true,
  state: true,
  summary: true,
  amount: true,
  requestedBy: true,
  requestedAt: true,
  expiresAt: true,
  approvals: true,
  approvalsNeeded: true,
  names: true,
  agentNames: true,
  available: true,
});

/** What proposing answers. */
export const proposedAction = describedAction.extend({
  warning: z.string().optional().meta({ description: 'Names the action that waits for the same already.' }),
});
export type ProposedAction = Fixed<z.output<typeof proposedAction>>;
