import type { Fixed } from '@steward/contract';
import { z } from 'zod';
import { money } from '../policy/money.ts';
import { states } from './action.ts';

const when = z.string().meta({ format: 'date-time' });

export const actionId = z.uuid();
export const previewHash = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'is the previewHash of the action as you saw it')
  .meta({ description: '`previewHash` of the action as the person saw it: the decision counts for nothing else.' });

const factsOf = z.record(z.string(), z.unknown());
const facts = z
  .array(
    z.object({
      noun: z.string(),
      id: z.string(),
      name: z.string().nullable(),
      before: factsOf,
      after: factsOf.nullable().optional().meta({ description: 'What would change; null where it would be gone.' }),
    }),
  )
  .meta({ description: 'The things it names, reads or changes: an approval holds only while they stay as shown.' });
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
  .meta({ description: 'What came out otherwise than it was shown before: the approval of that was refused.' });

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
  shownAt: when.meta({ description: 'As of when counters, sums and balances are shown: no approval binds those.' }),
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
  final: z.boolean().meta({ description: 'Once carried out it can never be taken back.' }),
  names: z.record(z.string(), z.string()).meta({ description: 'Display names of the members it names, by id.' }),
  available: z
    .object({
      approvers: z.int().meta({ description: 'Members whose role lets them approve it.' }),
      counting: z.int().meta({ description: 'Approvals of them: who has lost the right since does not count.' }),
      alone: z.boolean().meta({ description: 'Whether the policy lets the only one of them decide alone.' }),
    })
    .nullable()
    .meta({ description: 'Who there is to approve it, where it waits for two people; else null.' }),
});
export type DescribedAction = Fixed<z.output<typeof describedAction>>;
