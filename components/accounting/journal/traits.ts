import { money, parseAmount, type Money } from '@steward/kernel';
import type { Outcome } from '@steward/tools';
import type { forApproval } from './tools.ts';

type Shown = ReturnType<typeof forApproval>['preview'];

const shownIn = ({ preview }: Outcome): Shown => (preview ?? { entries: [], balances: [] }) as Shown;
const minor = (amount: Money | null): bigint =>
  amount === null ? 0n : (parseAmount(amount.amount, amount.currency) ?? 0n);

/**
 * What entries move, for limits by amount: the sum of their debits, in their currency where they share one and in the base
 * currency otherwise. The mirror of an entry beside it moves nothing more. Undefined where nothing is posted.
 */
export function movedBy(outcome: Outcome): Money | undefined {
  const { entries } = shownIn(outcome);
  const first = entries.filter(({ reverses }) => !entries.some(({ id }) => id === reverses));
  const [one] = first;
  if (one === undefined) return undefined;
  const shared = first.every(({ currency }) => currency === one.currency);
  const debits = first.flatMap(({ lines }) => lines.filter(({ debit }) => debit !== null));
  const currency = shared ? one.currency : (debits[0]?.base.currency ?? one.currency);
  return money(
    debits.reduce((sum, { debit, base }) => sum + minor(shared ? debit : base), 0n),
    currency,
  );
}
