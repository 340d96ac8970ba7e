import { classOf, type Discount } from './discount.ts';
import { discountOf, type Priced } from './totals.ts';

export interface Choice {
  /** In the order in which they apply within a class: codes as they were entered and then automatic ones, or these first. */
  readonly chosen: readonly Discount[];
  /**
   * Why a code does nothing, by id of its discount: `discount_not_combinable` with a code entered before it, or `discount_outdone` by
   * automatic ones that it does not combine with and that take more off.
   */
  readonly refused: ReadonlyMap<string, 'discount_not_combinable' | 'discount_outdone'>;
}

/** Whether two discounts may stand in one order: each names the class of the other. */
export const combine = (a: Discount, b: Discount): boolean =>
  a.combinesWith.has(classOf(b)) && b.combinesWith.has(classOf(a));

/**
 * Which of the applicable discounts an order takes. Codes count in the order in which they were entered, then the automatic ones that take
 * most off; each is taken if it combines with all before it. Where automatic ones alone would take more off, they go before the codes.
 * Calculates each automatic discount once and no sets of them.
 */
export function chooseDiscounts(order: Priced, codes: readonly Discount[], automatic: readonly Discount[]): Choice {
  const worth = (discounts: readonly Discount[]): bigint => discountOf(order, discounts);
  const best = automatic
    .map((discount) => ({ discount, alone: worth([discount]) }))
    .filter(({ alone }) => alone > 0n)
    .toSorted((a, b) => (a.alone === b.alone ? (a.discount.id < b.discount.id ? -1 : 1) : a.alone > b.alone ? -1 : 1))
    .map(({ discount }) => discount);
  const codesFirst = taken([...codes, ...best]);
  const automaticFirst = taken([...best, ...codes]);
  const outdone = codes.length > 0 && best.length > 0 && worth(automaticFirst) > worth(codesFirst);
  const chosen = outdone ? automaticFirst : codesFirst;
  const together = new Set(taken(codes));
  return {
    chosen,
    refused: new Map(
      codes
        .filter((code) => !chosen.includes(code))
        .map((code) => [code.id, together.has(code) ? 'discount_outdone' : 'discount_not_combinable']),
    ),
  };
}

function taken(discounts: readonly Discount[]): Discount[] {
  const kept: Discount[] = [];
  for (const one of discounts) if (kept.every((other) => combine(one, other))) kept.push(one);
  return kept;
}
