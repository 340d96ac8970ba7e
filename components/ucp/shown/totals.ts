import type { Money } from '@steward/kernel';
import { minorOf } from './money.ts';

export interface Total {
  readonly type: string;
  readonly amount: number;
  readonly display_text?: string;
}

const unlessNothing = (type: string, amount: number): Total[] => (amount === 0 ? [] : [{ type, amount }]);

/** What a total is made of: amounts of the shop, discounts as what they take off. */
export interface Sum {
  readonly subtotal: Money;
  /** What is taken off the lines, and off the rest. */
  readonly fromLines: number;
  readonly fromRest: number;
  /** Null: it is not known yet. */
  readonly shipping: Money | null;
  /** On top of the prices; null where they contain it, or it is not known yet. */
  readonly tax: Money | null;
  readonly total: Money;
}

/**
 * Exactly one subtotal and one total, and everything else adds up to it: whoever checks that must not complete what does not. Amounts of zero that
 * would have no sign are left out.
 */
export function totalsOf({ subtotal, fromLines, fromRest, shipping, tax, total }: Sum): Total[] {
  return [
    { type: 'subtotal', amount: minorOf(subtotal) },
    ...unlessNothing('items_discount', -fromLines),
    ...(shipping === null ? [] : [{ type: 'fulfillment', amount: minorOf(shipping) }]),
    ...unlessNothing('discount', -fromRest),
    ...(tax === null ? [] : [{ type: 'tax', amount: minorOf(tax) }]),
    { type: 'total', amount: minorOf(total) },
  ];
}
