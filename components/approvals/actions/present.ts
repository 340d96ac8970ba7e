import { fail, type Problem } from '@steward/kernel';
import type { Row } from '@steward/sql';
import { digest, type Outcome, type Proposed, type Tool } from '@steward/tools';
import { errors } from '../errors.ts';
import { approvalPage, type Deps } from '../deps.ts';
import { wordsIn } from '../mail/words.ts';
import { asked, decisions, ending, inner, stateOf, type Action } from './action.ts';
import { approversInWords } from './eligible.ts';
import type { ShownAction } from './schema.ts';
import { isCast } from './vote.ts';

/** Decided by the last vote that it took. */
const carried: ReadonlySet<string> = new Set(['approved', 'executed', 'failed']);

/** What no row says of an action that nobody has decided about. */
export const undecided = {
  ruleId: null,
  decidedBy: null,
  reason: null,
  errorCode: null,
  result: null,
  decidedAt: null,
  settledAt: null,
} as const satisfies Omit<Record<keyof typeof ending.answer.shape, null>, 'correlationId'>;

/** A row of `approvals.shown`, as doors show it: of votes, those that were cast. */
export function presentAction(
  { portal, seals }: Pick<Deps, 'portal' | 'seals'>,
  tenant: string,
  row: Row,
): ShownAction {
  const own = asked.read(row);
  const { approvals: votes, edits } = decisions.read(row);
  const { past, cause } = inner.read(row);
  const state = stateOf({ ...own, past });
  const end = { ...ending.read(row), ...(state === 'pending' ? undecided : {}) };
  const approvals = votes
    .filter((vote) => isCast({ seals }, { ...own, tenant }, { ...vote }))
    .map(({ approver, at }) => ({ approver, at }));
  return {
    ...own,
    state,
    summary: summaryOf({ ...own, ...end }),
    arguments: JSON.parse(own.arguments) as unknown,
    argumentsDigest: digest(own.arguments),
    versions: JSON.parse(own.versions) as Record<string, string>,
    approvals,
    edits,
    ...end,
    decidedBy: end.decidedBy ?? (carried.has(state) ? approvals.at(-1)?.approver : undefined) ?? null,
    reason: reasonOf({ ...end, cause }),
    url: approvalPage(portal, own.id),
  };
}

/** What would happen; of what was carried out, what did. */
const summaryOf = ({ state, summary, result }: Pick<Action, 'state' | 'summary' | 'result'>): string =>
  state === 'executed' && result !== null ? (result as Outcome).summary : summary;

/** The state of an action, as the result of the call that proposed it. @param short of approvers, in words. @throws Problem that says how it ended */
export function proposedOf(action: Action, tool: Tool | undefined, portal: string, short?: string): Proposed {
  const state = stateOf(action);
  if (state === 'executed') {
    if (action.result === null)
      throw errors('action_erased', 'It was executed. Its result was erased with a person’s data.');
    return { outcome: action.result as Outcome };
  }
  if (state !== 'pending' && state !== 'approved') throw ended(action);
  const people = action.approvalsNeeded === 2 ? 'two people' : 'a person';
  const who = tool === undefined ? 'nobody' : approversInWords(tool);
  const summary =
    state === 'approved'
      ? `Approved, and executed next: ${action.summary}`
      : `Nothing has happened yet: ${people} with the role ${who} must approve at ${approvalPage(portal, action.id)} before ` +
        `${action.expiresAt}. ${short === undefined ? '' : `${short} `}Proposed: ${action.summary}`;
  return { outcome: { summary, data: action.preview, pendingActionId: action.id } };
}

/** Why it ended, in words: those of the person who rejected it, or ours. */
export const reasonOf = ({ reason, cause }: Pick<Action, 'reason' | 'cause'>): string | null =>
  reason ?? (cause === null ? null : wordsIn.en.causes[cause]);

function ended(action: Action): Problem {
  const reason = reasonOf(action);
  const because = reason === null ? '' : ` Reason: ${reason}`;
  switch (stateOf(action)) {
    case 'rejected':
      return errors('action_rejected', `A person rejected the action.${because}`);
    case 'withdrawn':
      return action.cause === null
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
