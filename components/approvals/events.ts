import { defineEvents, payload, type RecordedEvent } from '@steward/kernel';
import { z } from 'zod';

const id = z.string().min(1);
const action = { action_id: id, tool: z.string() };
const hash = z.string().length(43);

/** Ids, digests, codes and names of tools: no arguments and no personal data. */
export const { grammar, event } = defineEvents('approvals', {
  recorded: {
    'approvals.action.requested': payload({
      ...action,
      arguments_digest: hash,
      preview_hash: hash,
      policy_version: z.string(),
      approvals_needed: z.int(),
      reasons: z.array(z.string()),
      expires_at: z.string(),
    }),
    'approvals.action.edited': payload({
      ...action,
      arguments_before: hash,
      arguments_after: hash,
      changed: z.array(z.string()),
      preview_hash: hash,
    }),
    'approvals.action.approved': payload({
      ...action,
      preview_hash: hash,
      approvals: z.int(),
      approvals_needed: z.int(),
      rule_id: id.optional(),
      sole_approver: z.literal(true).optional(),
    }),
    'approvals.action.rejected': payload(action),
    'approvals.action.withdrawn': payload({ ...action, cause: z.string().optional() }),
    'approvals.action.expired': payload(action),
    'approvals.action.returned': payload({ ...action, cause: z.string() }),
    'approvals.action.executed': payload({
      ...action,
      preview_hash: hash,
      approvers: z.array(id),
      rule_id: id.optional(),
    }),
    'approvals.action.failed': payload({ ...action, code: z.string() }),
    'approvals.policy.changed': payload({ version: z.int(), fields: z.array(z.string()), document_digest: hash }),
    'approvals.standing_rule.created': payload({
      rule_id: id,
      tool: z.string(),
      agent_id: id.nullable(),
      currency: z.string().nullable(),
      most: z.string().nullable(),
      daily_most: z.string().nullable(),
      valid_until: z.string(),
    }),
    'approvals.standing_rule.revoked': payload({ rule_id: id, tool: z.string() }),
  },
  published: {},
});

/** What an event about an action is a part of, and what it follows. */
export const inWorkflow = (of: {
  readonly correlationId: string;
  readonly lastEventId?: string | undefined;
}): Pick<RecordedEvent, 'correlationId' | 'causalId'> => ({
  correlationId: of.correlationId,
  ...(of.lastEventId === undefined ? {} : { causalId: of.lastEventId }),
});
