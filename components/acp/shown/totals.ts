import type { Money } from '@steward/kernel';
import { minorOf } from './money.ts';

const names = {
  items_base_amount: 'Items',
  items_discount: 'Discount on items',
  subtotal: 'Subtotal',
  discount: 'Discount',
  fulfillment: 'Shipping',
  tax: 'Tax',
  total: 'Total',
  amount_refunded: 'Refunded',
} as const;

export interface Total {
  readonly type: keyof typeof names;
  readonly display_text: string;
  readonly amount: number;
}

export const total = (type: keyof typeof names, amount: number, text: string = names[type]): Total => ({
  type,
  display_text: text,
  amount,
});

const unlessNothing = (type: keyof typeof names, amount: number): Total[] =>
  amount === 0 ? [] : [total(type, amount)];

/** What a total is made of: amounts of the shop, discounts as what they take off. */
export interface Sum {
  /** Of the lines, before discounts. */
  readonly base: number;
  readonly fromLines: number;
  readonly fromRest: number;
  /** Null: it is not known yet. */
  readonly shipping: Money | null;
  /** On top of the prices; null where they contain it, or it is not known yet. */
  readonly tax: Money | null;
  readonly total: Money;
}

/** Discounts are positive here: `subtotal` is what items cost less theirs, and `total` is that less `discount`, and all that is added. */
export const totalsOf = ({ base, fromLines, fromRest, shipping, tax, total: sum }: Sum): Total[] => [
  total('items_base_amount', base),
  ...unlessNothing('items_discount', fromLines),
  total('subtotal', base - fromLines),
  ...unlessNothing('discount', fromRest),
  ...(shipping === null ? [] : [total('fulfillment', minorOf(shipping))]),
  ...(tax === null ? [] : [total('tax', minorOf(tax))]),
  total('total', minorOf(sum)),
];
