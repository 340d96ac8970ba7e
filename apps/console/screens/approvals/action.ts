import type { Amount } from '../../data/money.ts';

export const states = ['pending', 'approved', 'executed', 'failed', 'rejected', 'withdrawn', 'expired'] as const;
export type State = (typeof states)[number];

export interface Fact {
  readonly noun: string;
  readonly id: string;
  readonly name: string | null;
  readonly before: Readonly<Record<string, unknown>>;
  /** What would change; null: it would be gone; absent: it stays. */
  readonly after?: Readonly<Record<string, unknown>> | null;
}

export interface Change {
  readonly pointer: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** As the portal answers it. */
export interface Action {
  readonly id: string;
  readonly tool: string;
  readonly title: string;
  readonly state: State;
  readonly summary: string;
  /** It cannot be undone once it is executed. */
  readonly final: boolean;
  readonly arguments: unknown;
  readonly preview: unknown;
  readonly previewHash: string;
  readonly facts: readonly Fact[];
  readonly changed: readonly (Change & { readonly of?: string })[];
  readonly shownAt: string;
  readonly amount: Amount | null;
  readonly requestedBy: readonly { readonly type: string; readonly id: string }[];
  readonly requestedAt: string;
  readonly expiresAt: string;
  readonly approvals: readonly { readonly approver: string; readonly at: string }[];
  readonly approvalsNeeded: number;
  readonly reasons: readonly string[];
  readonly edits: readonly { readonly editor: string; readonly at: string; readonly changed: readonly Change[] }[];
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
  readonly reason: string | null;
  readonly ruleId: string | null;
  readonly errorCode: string | null;
  readonly result: unknown;
  readonly correlationId: string;
  readonly names: Readonly<Record<string, string>>;
  /** What agents call themselves, by id. */
  readonly agentNames: Readonly<Record<string, string>>;
  readonly available: {
    readonly approvers: number;
    readonly counting: number;
    readonly alone: boolean;
    readonly shortage: string | null;
  } | null;
}

/** The agent that asked, or whoever did without one. */
export const askerOf = ({ requestedBy }: Pick<Action, 'requestedBy'>): string => requestedBy.at(-1)?.id ?? '';

/** Whether a person proposed it, without an agent. */
export const byPerson = ({ requestedBy }: Pick<Action, 'requestedBy'>): boolean =>
  requestedBy.every(({ type }) => type === 'user');

/** Of amounts in one currency. @returns below, at or above zero */
function compare(a: string, b: string): number {
  const digits = Math.max(...[a, b].map((one) => one.split('.')[1]?.length ?? 0));
  const whole = (text: string): bigint => {
    const [units = '0', rest = ''] = text.split('.');
    return BigInt(units + rest.padEnd(digits, '0'));
  };
  const [x, y] = [whole(a), whole(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Names of other customers and suppliers that a person may take for one that the action is about. */
export const alikeIn = ({ facts }: Pick<Action, 'facts'>): readonly string[] => [
  ...new Set(
    facts.flatMap(({ before }) => {
      const others = before['others_named_alike'];
      return Array.isArray(others) ? others.map(String) : [];
    }),
  ),
];

/** What is unusual about an action, before actions of the same tool that were decided. */
export interface Cues {
  /** Who asked has never done this here, as far as the history goes. */
  readonly first: boolean;
  /** The most that this tool was ever approved for in the currency, where the amount is above it. */
  readonly above: Amount | undefined;
}

/** What cues are told from. */
export type Done = Pick<Action, 'id' | 'state' | 'amount' | 'requestedBy'>;

export function cuesOf(action: Action, history: readonly Done[]): Cues {
  const done = history.filter(({ id, state }) => id !== action.id && state === 'executed');
  const asker = askerOf(action);
  const { amount } = action;
  const most = done
    .flatMap((one) => (one.amount !== null && one.amount.currency === amount?.currency ? [one.amount] : []))
    .toSorted((a, b) => compare(b.amount, a.amount))[0];
  const above = amount !== null && most !== undefined && compare(amount.amount, most.amount) > 0 ? most : undefined;
  return { first: done.every((one) => askerOf(one) !== asker), above };
}

/** Shorter than so many seconds, of how long people took to decide. */
export const waits = [10, 60, 600, 3_600, 86_400, Number.POSITIVE_INFINITY] as const;

/** How many people approved and rejected within each of `waits`; what a standing rule approved took nobody's time. */
export function decisionTimes(actions: readonly Action[]): {
  readonly approved: number[];
  readonly rejected: number[];
} {
  const counts = { approved: waits.map(() => 0), rejected: waits.map(() => 0) };
  for (const { state, ruleId, requestedAt, decidedAt, approvals } of actions) {
    if (ruleId !== null || !['executed', 'failed', 'rejected'].includes(state)) continue;
    const at = decidedAt ?? approvals.at(-1)?.at;
    if (at === undefined) continue;
    const seconds = (Date.parse(at) - Date.parse(requestedAt)) / 1000;
    const place = waits.findIndex((wait) => seconds < wait);
    const row = state === 'rejected' ? counts.rejected : counts.approved;
    row[place] = (row[place] ?? 0) + 1;
  }
  return counts;
}
