import type { Fixed } from '@steward/contract';
import { z } from 'zod';
import { money } from '../policy/money.ts';
import { states } from './action.ts';

const when = z.string().meta({ format: 'date-time' });

export const actionId = z.uuid();
export const ownAction = actionId.meta({
  description: '`pending_action_id` of the result `pending_approval`.',
});
export const previewHash = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'Give the previewHash of the action that you read')
  .meta({ description: '`previewHash` of the action that the person saw. The decision counts only for that preview.' });

const factsOf = z.record(z.string(), z.unknown());
const facts = z
  .array(
    z.object({
      noun: z.string(),
      id: z.string(),
      name: z.string().nullable(),
      before: factsOf,
      after: factsOf
        .nullable()
        .optional()
        .meta({ description: 'The values that would change; null where the thing would be removed.' }),
    }),
  )
  .meta({
    description: 'The things that the action names, reads or changes. An approval holds only while they stay as shown.',
  });
const changed = z
  .array(
    z.object({
      of: z.string().optional(),
      id: z.string().optional(),
      pointer: z.string(),
      before: z.unknown().optional(),
      after: z.unknown().optional(),
    }),
  )
  .meta({ description: 'The values that differ from an earlier preview, whose approval was refused.' });

/** A pending action as REST shows it. */
export const shownAction = z.object({
  id: actionId,
  tool: z.string(),
  state: z.enum(states),
  summary: z.string(),
  arguments: z.unknown(),
  argumentsDigest: z.string(),
  preview: z.unknown(),
  facts,
  changed,
  shownAt: when.meta({
    description: 'The time at which counters, sums and balances were read. An approval does not bind these.',
  }),
  versions: z.record(z.string(), z.string()),
  previewHash: z.string(),
  policyVersion: z.string(),
  amount: money.nullable(),
  requestedBy: z.array(z.object({ type: z.string(), id: z.string() })),
  requestedAt: when,
  expiresAt: when,
  approvalsNeeded: z.int(),
  reasons: z.array(z.string()).meta({ description: 'Why more than one person is needed.' }),
  approvals: z.array(z.object({ approver: z.string(), at: when })),
  edits: z.array(
    z.object({
      editor: z.string(),
      at: when,
      changed: z.array(
        z.object({ pointer: z.string(), before: z.unknown().optional(), after: z.unknown().optional() }),
      ),
    }),
  ),
  ruleId: z.string().nullable(),
  decidedBy: z.string().nullable(),
  reason: z.string().nullable(),
  errorCode: z.string().nullable(),
  result: z.unknown(),
  decidedAt: when.nullable(),
  settledAt: when.nullable(),
  correlationId: z.string(),
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
