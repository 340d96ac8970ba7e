import type { Grammar } from '@steward/audit';
import { z } from 'zod';

const id = z.string().min(1);
const action = { action_id: id, tool: z.string() };
const hash = z.string().length(43);

/** Payloads of version 1. Ids, digests, codes and names of tools: no arguments and no personal data. */
const payloads = {
  'approvals.action.requested': {
    ...action,
    arguments_digest: hash,
    preview_hash: hash,
    policy_version: z.string(),
    approvals_needed: z.int(),
    reasons: z.array(z.string()),
    expires_at: z.string(),
  },
  'approvals.action.edited': {
    ...action,
    arguments_before: hash,
    arguments_after: hash,
    changed: z.array(z.string()),
    preview_hash: hash,
  },
  'approvals.action.approved': {
    ...action,
    preview_hash: hash,
    approvals: z.int(),
    approvals_needed: z.int(),
    rule_id: id.optional(),
    sole_approver: z.literal(true).optional(),
  },
  'approvals.action.rejected': action,
  'approvals.action.withdrawn': { ...action, cause: z.string().optional() },
  'approvals.action.expired': action,
  'approvals.action.returned': { ...action, cause: z.string() },
  'approvals.action.executed': { ...action, preview_hash: hash, approvers: z.array(id), rule_id: id.optional() },
  'approvals.action.failed': { ...action, code: z.string() },
  'approvals.policy.changed': { version: z.int(), fields: z.array(z.string()), document_digest: hash },
  'approvals.standing_rule.created': {
    rule_id: id,
    tool: z.string(),
    agent_id: id.nullable(),
    currency: z.string().nullable(),
    most: z.string().nullable(),
    daily_most: z.string().nullable(),
    valid_until: z.string(),
  },
  'approvals.standing_rule.revoked': { rule_id: id, tool: z.string() },
} as const;

export type EventType = keyof typeof payloads;

export const approvalsGrammar: Grammar = {
  name: 'approvals',
  events: Object.entries(payloads).map(([types, shape]) => ({
    types,
    major: 1,
    schema: z.toJSONSchema(z.strictObject(shape)) as Record<string, unknown>,
  })),
};

interface Recorded {
  readonly type: EventType;
  readonly eventVersion: '1.0.0';
  readonly grammar: 'approvals';
  readonly source: 'approvals';
  readonly payload: Readonly<Record<string, unknown>>;
  readonly correlationId?: string;
  readonly causalId?: string;
}

/** An event of this component; `of`: the action in whose workflow it stands. */
export const event = (
  type: EventType,
  payload: Readonly<Record<string, unknown>>,
  of?: { readonly correlationId: string; readonly lastEventId?: string | undefined },
): Recorded => ({
  type,
  eventVersion: '1.0.0',
  grammar: 'approvals',
  source: 'approvals',
  payload,
  ...(of === undefined ? {} : { correlationId: of.correlationId }),
  ...(of?.lastEventId === undefined ? {} : { causalId: of.lastEventId }),
});
