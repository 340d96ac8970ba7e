import { count, field, flag, id, moment, nullable, oneOf, shape, text } from '@steward/contract';
import type { PrincipalRef } from '@steward/kernel';
import { type Row, statement, type Statement } from '@steward/sql';
import type { Outcome } from '@steward/tools';
import { z } from 'zod';
import { moneyIn } from '../policy/money.ts';
import { fact } from '../shown/facts.ts';
import { change, drift } from './difference.ts';

export const states = ['pending', 'approved', 'executed', 'failed', 'rejected', 'withdrawn', 'expired'] as const;
export type State = (typeof states)[number];

/** Why the platform withdrew what nobody took back. */
const causes = ['client_shut_out', 'grant_narrowed', 'grant_missing', 'member_removed'] as const;
export type Cause = (typeof causes)[number];

/** What is stored as the text of JSON. */
const json = <S extends z.ZodType>(schema: S, sql?: string) =>
  field(schema, sql, (stored) => (stored === null ? null : JSON.parse(String(stored))) as z.output<S>);

const principal = z.object({
  type: z.string() as z.ZodType<PrincipalRef['type'], PrincipalRef['type']>,
  id: z.string(),
});

/** What is asked for, as it was shown last. Of `approvals.action` named `a`, as all that follows. */
export const asked = shape('a', {
  id: id('a.action_id'),
  tool: text(),
  /** As stored; past its time it may still say `pending`, see `stateOf`. */
  state: oneOf(states),
  summary: text(),
  /** Canonical JSON. */
  arguments: text(),
  preview: json(z.unknown()),
  facts: json(
    z.array(fact).meta({
      description:
        'The things that the action names, reads or changes. An approval holds only while they stay as shown.',
    }),
  ),
  changed: json(
    z.array(drift).meta({ description: 'The values that differ from an earlier preview, whose approval was refused.' }),
    "coalesce(a.drift, '[]')",
  ),
  shownAt: field(
    moment().schema.meta({
      description: 'The time at which counters, sums and balances were read. An approval does not bind these.',
    }),
    undefined,
    moment().read,
  ),
  /** Canonical JSON. */
  versions: text(),
  previewHash: text(),
  policyVersion: text(),
  amount: moneyIn('a.amount', 'a.currency'),
  requestedBy: json(z.array(principal), 'a.chain'),
  requestedAt: moment(),
  expiresAt: moment(),
  approvalsNeeded: count(),
  reasons: field(z.array(z.string()).meta({ description: 'Why more than one person is needed.' })),
});

/** Who approved what is shown, and who edited it; of `approvals.shown`. */
export const decisions = shape('a', {
  approvals: field(z.array(z.object({ approver: z.string(), at: moment().schema })), 'a.votes'),
  edits: field(z.array(z.object({ editor: z.string(), at: moment().schema, changed: z.array(change) }))),
});

/** What it came to. */
export const ending = shape('a', {
  ruleId: nullable(text()),
  decidedBy: nullable(text()),
  reason: nullable(text()),
  errorCode: nullable(text()),
  result: json(z.unknown()),
  decidedAt: nullable(moment()),
  settledAt: nullable(moment()),
  correlationId: text(),
});

const sha256 = (text: string): string =>
  `translate(encode(sha256(convert_to(${text}, 'UTF8')), 'base64'), '+/=', '-_')`;
/** Of what people are shown of `approvals.action` named `a`: words and amount, and facts, which an erasure deletes alone. */
export const shownDigest = sha256(
  `concat_ws(E'\n', a.summary, a.preview, coalesce(a.currency, ''), coalesce(a.amount::text, ''), a.payee)`,
);
export const factsDigest = sha256('a.facts');

/** Columns that no door shows. */
export const inner = shape('a', {
  askedDigest: text(),
  subject: field(principal, "json_build_object('type', a.subject_type, 'id', a.subject_id)"),
  agentId: nullable(text()),
  /** Through which client it was asked for: the agent itself, or that of the person's token. */
  clientId: nullable(text('coalesce(a.client_id, a.agent_id)')),
  effectDigest: text(),
  /** By the database's clock. */
  past: flag('a.expires_at <= clock_timestamp()'),
  cause: nullable(oneOf(causes)),
  shownDigest: text(shownDigest),
  factsDigest: text(factsDigest),
  lastEventId: text(),
  seal: nullable(text()),
  askedSeal: nullable(text()),
  attempts: count(),
});

export const columns = [asked, ending, inner].map((part) => part.columns).join(', ');

/** A command that awaits people, or awaited them. */
export const actionOf = (row: Row) => ({ ...asked.read(row), ...ending.read(row), ...inner.read(row) });
export type Action = ReturnType<typeof actionOf>;

/** Whom a grant is about: the agent that asked, or a machine that is a member. A person is bound by none, nor is the platform. */
export const granteeOf = ({
  agentId,
  clientId,
  subject,
}: Pick<Action, 'agentId' | 'clientId' | 'subject'>): string | undefined =>
  agentId ?? (subject.type === 'service' && !subject.id.startsWith('service:') ? (clientId ?? undefined) : undefined);

/** The state for readers: an action past its time has expired, also if no row says so yet. */
export const stateOf = ({ state, past }: Pick<Action, 'state' | 'past'>): State =>
  past && (state === 'pending' || state === 'approved') ? 'expired' : state;

/** What is kept of what an action came to, as JSON. */
export const resultOf = ({ summary, data, warning }: Outcome): string => JSON.stringify({ summary, data, warning });

export const selectAction = (tenant: string, id: string): Statement =>
  statement(`select ${columns} from approvals.action a where a.tenant_id = $1 and a.action_id = $2`, [tenant, id]);

export const lockAction = (tenant: string, id: string): Statement => {
  const { text, values } = selectAction(tenant, id);
  return statement(`${text} for update`, values);
};

/** The action that was asked for with this key. */
export const selectByKey = (tenant: string, requester: string, tool: string, key: string): Statement =>
  statement(
    `select ${columns} from approvals.action a
     where a.tenant_id = $1 and a.requester = $2 and a.tool = $3 and a.idempotency_key = $4`,
    [tenant, requester, tool, key],
  );

/** What a statement answers that writes actions and returns all of their columns. */
export const returned = ({ text, values }: Statement): Statement =>
  statement(`with a as (${text}) select ${columns} from a`, values);

/** An action, as events say which one. */
export const named = ({ id, tool }: Action) => ({ action_id: id, tool });

/** What people are shown of an action from an event on, as the log keeps it. */
export const shownOf = ({ previewHash, shownDigest: shown, factsDigest: facts }: Action) => ({
  preview_hash: previewHash,
  shown_digest: shown,
  facts_digest: facts,
});
