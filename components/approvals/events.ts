import { defineEvents, payload, type PrincipalRef, type RecordedEvent } from '@steward/kernel';
import type { TenantTransaction } from '@steward/sql';
import { z } from 'zod';

const id = z.string().min(1);
const action = { action_id: id, tool: z.string() };
const hash = z.string().length(43);
/** Of the words and the amount that people are shown, and of the facts: both as they are stored by then. */
const digests = { shown_digest: hash.optional(), facts_digest: hash.optional() };

/** Which action, and whose it is: who may see it follows from that (`announcedTo`). */
const announced = payload({
  actionId: z.uuid(),
  tool: z.string(),
  onBehalfOf: z.strictObject({ type: z.string(), id }),
});

/** Ids, digests, codes and names of tools: no arguments and no personal data. */
export const { grammar, published, event, announcement } = defineEvents('approvals', {
  recorded: {
    'approvals.action.requested': payload({
      ...action,
      arguments_digest: hash,
      preview_hash: hash,
      policy_version: z.string(),
      approvals_needed: z.int(),
      reasons: z.array(z.string()),
      expires_at: z.string(),
      ...digests,
    }),
    'approvals.action.edited': payload({
      ...action,
      arguments_before: hash,
      arguments_after: hash,
      changed: z.array(z.string()),
      preview_hash: hash,
      ...digests,
    }),
    'approvals.action.renewed': payload({ ...action, preview_hash: hash, ...digests }),
    'approvals.action.approved': payload({
      ...action,
      preview_hash: hash,
      ...digests,
      approvals: z.int(),
      approvals_needed: z.int(),
      rule_id: id.optional(),
      sole_approver: z.literal(true).optional(),
    }),
    'approvals.action.rejected': payload(action),
    'approvals.action.withdrawn': payload({ ...action, cause: z.string().optional() }),
    'approvals.action.expired': payload(action),
    'approvals.action.returned': payload({ ...action, cause: z.string(), preview_hash: hash.optional(), ...digests }),
    'approvals.action.executed': payload({
      ...action,
      preview_hash: hash,
      approvers: z.array(id),
      /** Of what it came to, as it is stored. */
      result_digest: hash.optional(),
      rule_id: id.optional(),
    }),
    'approvals.action.failed': payload({ ...action, code: z.string() }),
    /** It mentioned a person whose data was erased: it says nothing any more. */
    'approvals.action.erased': payload(action),
    /** Facts beside it were about such a person. */
    'approvals.action.facts_erased': payload(action),
    /** Money went out, or somebody owes less without it, where two people are wanted: the only approver did it, as the policy allows. */
    'approvals.outflow.decided_alone': payload({ tool: z.string().nullable(), reasons: z.array(z.string()) }),
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
  published: {
    /** Proposed; one that a standing rule covers is approved, and executed or failed, right after it. */
    'approvals.action.requested': announced,
    /** What it would do is another thing now, and approvals of the earlier one do not count. */
    'approvals.action.edited': announced,
    /** Somebody wanted to approve it, and it would do something else by now: that is shown, and approvals of the earlier one do not count. */
    'approvals.action.renewed': announced,
    /** By one person or by a rule: read the action for how many more it takes. */
    'approvals.action.approved': announced,
    'approvals.action.rejected': announced,
    'approvals.action.withdrawn': announced,
    'approvals.action.expired': announced,
    /** It was approved and would do something else now: people decide again. */
    'approvals.action.returned': announced,
    'approvals.action.executed': announced,
    'approvals.action.failed': announced,
  },
});

/** What an event about an action is a part of, and what it follows. */
export const inWorkflow = (of: {
  readonly correlationId: string;
  readonly lastEventId?: string | undefined;
}): Pick<RecordedEvent, 'correlationId' | 'causalId'> => ({
  correlationId: of.correlationId,
  ...(of.lastEventId === undefined ? {} : { causalId: of.lastEventId }),
});

/** Records what became of an action, and announces the same. */
export function tell(
  tx: TenantTransaction,
  { id, tool, subject }: { readonly id: string; readonly tool: string; readonly subject: PrincipalRef },
  recorded: RecordedEvent,
): void {
  const { type, causalId, correlationId } = recorded;
  if (!isAnnounced(type)) throw new TypeError(`${type} is not announced`);
  const { type: of, id: whose } = subject;
  tx.record(recorded);
  tx.publish(
    announcement(
      type,
      { actionId: id, tool, onBehalfOf: { type: of, id: whose } },
      {
        subject: id,
        ...(causalId === undefined ? {} : { causationId: causalId }),
        ...(correlationId === undefined ? {} : { correlationId }),
      },
    ),
  );
}

const isAnnounced = (type: string): type is keyof typeof published => Object.hasOwn(published, type);
