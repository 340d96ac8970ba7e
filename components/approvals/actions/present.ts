import { fail, type Problem } from '@steward/kernel';
import { digest, type Outcome, type Proposed, type Tool } from '@steward/tools';
import { errors } from '../errors.ts';
import { approvalPage } from '../deps.ts';
import { moneyOf } from '../policy/money.ts';
import type { Fact } from '../shown/facts.ts';
import { stateOf, type Action, type Cause } from './action.ts';
import type { Drift } from './drift.ts';
import { approversInWords } from './eligible.ts';
import type { ShownAction } from './schema.ts';

/** Decided by the last vote that it took. */
const carried: ReadonlySet<string> = new Set(['approved', 'executed', 'failed']);

/** A pending action as it is shown, with who approved and who edited it. */
export const presentAction = (
  action: Action,
  portal: string,
  votes: ShownAction['approvals'],
  edits: ShownAction['edits'],
): ShownAction => ({
  id: action.id,
  tool: action.tool,
  state: stateOf(action),
  summary: summaryOf(action),
  arguments: JSON.parse(action.arguments) as unknown,
  argumentsDigest: digest(action.arguments),
  preview: JSON.parse(action.preview) as unknown,
  facts: JSON.parse(action.facts) as Fact[],
  changed: JSON.parse(action.drift ?? '[]') as Drift[],
  shownAt: action.shownAt.toISOString(),
  versions: JSON.parse(action.versions) as Record<string, string>,
  previewHash: action.previewHash,
  policyVersion: action.policyVersion,
  amount: action.money === undefined ? null : moneyOf(action.money),
  requestedBy: action.chain,
  requestedAt: action.requestedAt.toISOString(),
  expiresAt: action.expiresAt.toISOString(),
  approvalsNeeded: action.needed,
  reasons: action.reasons,
  approvals: votes,
  edits,
  ruleId: action.ruleId ?? null,
  decidedBy: action.decidedBy ?? (carried.has(stateOf(action)) ? votes.at(-1)?.approver : undefined) ?? null,
  reason: reasonOf(action) ?? null,
  errorCode: action.errorCode ?? null,
  result: action.result === undefined ? null : (JSON.parse(action.result) as unknown),
  decidedAt: action.decidedAt?.toISOString() ?? null,
  settledAt: action.settledAt?.toISOString() ?? null,
  correlationId: action.correlationId,
  url: approvalPage(portal, action.id),
});

/** What would happen; of what was carried out, what did. */
const summaryOf = ({ state, summary, result }: Action): string =>
  state === 'executed' && result !== undefined ? (JSON.parse(result) as Outcome).summary : summary;

/** How an action stands, as the result of the call that asked for it. @param short of approvers, in words. @throws Problem that says how it ended */
export function proposedOf(action: Action, tool: Tool | undefined, portal: string, short?: string): Proposed {
  const state = stateOf(action);
  if (state === 'executed') {
    if (action.result === undefined)
      throw errors('action_erased', 'It was executed. Its result was erased with a person’s data.');
    return { outcome: JSON.parse(action.result) as Outcome };
  }
  if (state !== 'pending' && state !== 'approved') throw ended(action);
  const people = action.needed === 2 ? 'two people' : 'a person';
  const who = tool === undefined ? 'nobody' : approversInWords(tool);
  const summary =
    state === 'approved'
      ? `Approved, and executed next: ${action.summary}`
      : `Nothing has happened yet: ${people} with the role ${who} must approve at ${approvalPage(portal, action.id)} before ` +
        `${action.expiresAt.toISOString()}. ${short === undefined ? '' : `${short} `}Proposed: ${action.summary}`;
  return { outcome: { summary, data: JSON.parse(action.preview) as unknown, pendingActionId: action.id } };
}

/** Why it ended, in words: those of the person who rejected it, or ours. */
export const reasonOf = ({ reason, cause }: Action): string | undefined =>
  reason ?? (cause === undefined ? undefined : causes[cause]);

const causes: Readonly<Record<Cause, string>> = {
  client_shut_out: 'The client that proposed it was shut out.',
  grant_narrowed: 'The grant of the agent that proposed it no longer allows this.',
  member_removed: 'The person who proposed it is no longer a member.',
  grant_missing: 'Each agent needs a grant now, and the agent that proposed it has none.',
};

function ended(action: Action): Problem {
  const reason = reasonOf(action);
  const because = reason === undefined ? '' : ` Reason: ${reason}`;
  switch (stateOf(action)) {
    case 'rejected':
      return errors('action_rejected', `A person rejected the action.${because}`);
    case 'withdrawn':
      return action.cause === undefined
        ? errors('action_withdrawn', 'The action was withdrawn: propose it again with a new idempotency_key.')
        : errors('action_withdrawn', `The action was withdrawn.${because}`);
    case 'expired':
      return errors('action_expired', 'Nobody approved in time: propose it again with a new idempotency_key.');
    case 'failed':
      return errors('action_failed', `The action was approved and failed: ${action.errorCode ?? 'unknown'}.${because}`);
    default:
      return fail('internal_error');
  }
}
