import { type Money, parseAmount } from '@steward/kernel';
import { acpFail } from '../errors.ts';

/** Minor units. @throws Problem `item_unavailable` (422) for an amount that no JSON number holds exactly */
export function minorOf({ amount, currency }: Money): number {
  const minor = Number(parseAmount(amount, currency));
  if (!Number.isSafeInteger(minor))
    throw acpFail('item_unavailable', 'It comes to more than a JSON number holds: buy less at once.');
  return minor;
}

export const sumOf = (amounts: readonly Money[]): number => amounts.reduce((all, one) => all + minorOf(one), 0);
