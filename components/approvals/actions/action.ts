import type { PrincipalRef } from '@steward/kernel';
import { sql, type Statement } from '@steward/sql';
import type { Outcome } from '@steward/tools';
import type { Minor } from '../policy/money.ts';

export const states = ['pending', 'approved', 'executed', 'failed', 'rejected', 'withdrawn', 'expired'] as const;
export type State = (typeof states)[number];

/** Why the platform withdrew what nobody took back. */
export type Cause = 'client_shut_out' | 'grant_narrowed' | 'grant_missing' | 'member_removed';

/** A command that awaits people, or awaited them. */
export interface Action {
  readonly id: string;
  readonly tool: string;
  /** Canonical JSON. */
  readonly arguments: string;
  readonly askedDigest: string;
  readonly chain: readonly PrincipalRef[];
  readonly subject: PrincipalRef;
  readonly agentId: string | undefined;
  /** Through which client it was asked for: the agent itself, or that of the person's token. */
  readonly clientId: string | undefined;
  readonly requester: string;
  readonly summary: string;
  /** JSON. */
  readonly preview: string;
  /** JSON of `Fact[]`. */
  readonly facts: string;
  /** JSON of `Drift[]`: what came out otherwise than it was shown before. */
  readonly drift: string | undefined;
  readonly shownAt: Date;
  readonly effectDigest: string;
  /** Canonical JSON. */
  readonly versions: string;
  readonly policyVersion: string;
  readonly previewHash: string;
  readonly needed: number;
  readonly reasons: readonly string[];
  readonly money: Minor | undefined;
  /** As stored; past its time it may still say `pending`, see `past`. */
  readonly state: State;
  /** By the database's clock. */
  readonly past: boolean;
  readonly ruleId: string | undefined;
  readonly decidedBy: string | undefined;
  readonly reason: string | undefined;
  readonly errorCode: string | undefined;
  readonly cause: Cause | undefined;
  /** JSON of the outcome. */
  readonly result: string | undefined;
  readonly correlationId: string;
  readonly lastEventId: string;
  readonly attempts: number;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt: Date | undefined;
  readonly settledAt: Date | undefined;
}

export interface ActionRow extends Record<string, unknown> {
  readonly action_id: string;
  readonly tool: string;
  readonly arguments: string;
  readonly asked_digest: string;
  readonly chain: string;
  readonly subject_type: PrincipalRef['type'];
  readonly subject_id: string;
  readonly agent_id: string | null;
  readonly client_id: string | null;
  readonly requester: string;
  readonly summary: string;
  readonly preview: string;
  readonly facts: string;
  readonly drift: string | null;
  readonly shown_at: Date;
  readonly effect_digest: string;
  readonly versions: string;
  readonly policy_version: string;
  readonly preview_hash: string;
  readonly approvals_needed: number;
  readonly reasons: string[];
  readonly currency: string | null;
  readonly amount: bigint | null;
  readonly state: State;
  readonly past: boolean;
  readonly rule_id: string | null;
  readonly decided_by: string | null;
  readonly reason: string | null;
  readonly error_code: string | null;
  readonly cause: Cause | null;
  readonly result: string | null;
  readonly correlation_id: string;
  readonly last_event_id: string;
  readonly attempts: number;
  readonly requested_at: Date;
  readonly expires_at: Date;
  readonly decided_at: Date | null;
  readonly settled_at: Date | null;
}

/** Whom a grant is about: the agent that asked, or a machine that is a member. A person is bound by none, nor is the platform. */
export const granteeOf = ({
  agentId,
  clientId,
  subject,
}: Pick<Action, 'agentId' | 'clientId' | 'subject'>): string | undefined =>
  agentId ?? (subject.type === 'service' && !subject.id.startsWith('service:') ? clientId : undefined);

export const actionOf = (row: ActionRow): Action => ({
  id: row.action_id,
  tool: row.tool,
  arguments: row.arguments,
  askedDigest: row.asked_digest,
  chain: JSON.parse(row.chain) as PrincipalRef[],
  subject: { type: row.subject_type, id: row.subject_id },
  agentId: row.agent_id ?? undefined,
  clientId: row.client_id ?? row.agent_id ?? undefined,
  requester: row.requester,
  summary: row.summary,
  preview: row.preview,
  facts: row.facts,
  drift: row.drift ?? undefined,
  shownAt: row.shown_at,
  effectDigest: row.effect_digest,
  versions: row.versions,
  policyVersion: row.policy_version,
  previewHash: row.preview_hash,
  needed: row.approvals_needed,
  reasons: row.reasons,
  money:
    row.currency === null || row.amount === null ? undefined : { currency: row.currency, minor: BigInt(row.amount) },
  state: row.state,
  past: row.past,
  ruleId: row.rule_id ?? undefined,
  decidedBy: row.decided_by ?? undefined,
  reason: row.reason ?? undefined,
  errorCode: row.error_code ?? undefined,
  cause: row.cause ?? undefined,
  result: row.result ?? undefined,
  correlationId: row.correlation_id,
  lastEventId: row.last_event_id,
  attempts: row.attempts,
  requestedAt: row.requested_at,
  expiresAt: row.expires_at,
  decidedAt: row.decided_at ?? undefined,
  settledAt: row.settled_at ?? undefined,
});

/** What a reader is told: what is past its time has expired, even where nobody has written it down yet. */
export const stateOf = ({ state, past }: Pick<Action, 'state' | 'past'>): State =>
  past && (state === 'pending' || state === 'approved') ? 'expired' : state;

/** What is kept of what an action came to, as JSON. */
export const resultOf = ({ summary, data, warning }: Outcome): string => JSON.stringify({ summary, data, warning });

export const selectAction = (tenant: string, id: string): Statement =>
  sql`select a.*, a.expires_at <= clock_timestamp() as past from approvals.action a
      where a.tenant_id = ${tenant} and a.action_id = ${id}`;

export const lockAction = (tenant: string, id: string): Statement =>
  sql`select a.*, a.expires_at <= clock_timestamp() as past from approvals.action a
      where a.tenant_id = ${tenant} and a.action_id = ${id} for update`;

/** An action, as events say which one. */
export const named = ({ id, tool }: Action) => ({ action_id: id, tool });
