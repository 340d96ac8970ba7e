import { money, parseAmount, type Money } from '@steward/kernel';
import type { Outcome } from '@steward/tools';
import type { Shown } from '../subledger/shown.ts';
import type { Entry } from './entry.ts';

/** What a person is shown before they approve: the journal lines, and the balances before and after. */
const forApproval = ({ entries, effects }: Shown) => ({ entries, balances: effects });

const shownIn = ({ preview }: Outcome) => (preview ?? { entries: [], balances: [] }) as ReturnType<typeof forApproval>;
const minor = (amount: Money | null): bigint =>
  amount === null ? 0n : (parseAmount(amount.amount, amount.currency) ?? 0n);

/** What an entry is over, as a summary says it. */
export const sumOf = ({ lines, currency }: Pick<Entry, 'lines' | 'currency'>): string => {
  const { amount } = money(
    lines.reduce((sum, { debit }) => sum + minor(debit), 0n),
    currency,
  );
  return `${amount} ${currency}`;
};

/**
 * What entries move, for limits by amount: the sum of their debits. First in their currency where they share one and in the base
 * currency otherwise; then in every other currency that they are in, and in the base currency, for whoever proposes them chooses their
 * rate. The mirror of an entry beside it moves nothing more. Undefined where nothing is posted.
 */
function movedBy(outcome: Outcome): readonly [Money, ...Money[]] | undefined {
  const { entries } = shownIn(outcome);
  const first = entries.filter(({ reverses }) => !entries.some(({ id }) => id === reverses));
  const sums = new Map<string, bigint>();
  const add = (currency: string, amount: bigint): unknown => sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  let inBase = 0n;
  let baseCurrency: string | undefined;
  for (const { currency, lines } of first)
    for (const { debit, base } of lines)
      if (debit !== null) {
        add(currency, minor(debit));
        inBase += minor(base);
        baseCurrency = base.currency;
      }
  const [one] = first;
  if (one === undefined) return undefined;
  const shared = sums.size <= 1;
  if (baseCurrency !== undefined) sums.set(baseCurrency, inBase);
  const leading = shared ? one.currency : (baseCurrency ?? one.currency);
  const others = [...sums].filter(([currency]) => currency !== leading).map(([currency, sum]) => money(sum, currency));
  return [money(sums.get(leading) ?? 0n, leading), ...others];
}

/** Of a command that posts: what it moves, for limits that a policy sets for it. Whether money leaves is seen by what it posts. */
const moving = { moneyOut: false, amount: (_args: unknown, outcome: Outcome) => movedBy(outcome) } as const;
/** Of an operation that posts: approvers are shown what it does to the books. */
export const posting = { approval: moving, preview: forApproval, keepsPreview: true } as const;
/** Of a command that closes, opens, compares or values the books and has no amount: whether it takes something out is seen by what it posts. */
export const routine = { moneyOut: false, routine: true } as const;
/** The same of an operation that posts. */
export const closing = { ...posting, approval: routine } as const;
/** The same of one that posts a single entry. */
export const postingOne = {
  ...posting,
  preview: ({ entry, effects }: { readonly entry: Entry; readonly effects: Shown['effects'] }) =>
    forApproval({ entries: [entry], effects }),
} as const;
