import type { Percentage } from '@steward/accounting';
import type { Line } from './line.ts';

/** What a discount lowers: products first, then what is left of the whole order, then shipping. */
export const discountClasses = ['product', 'order', 'shipping'] as const;
export type DiscountClass = (typeof discountClasses)[number];

/** Lines of these products or collections; of both empty, every line. */
export interface Among {
  readonly productIds: ReadonlySet<string>;
  readonly collectionIds: ReadonlySet<string>;
}

/** A discount as far as it is calculated. Amounts are minor units of the order's currency. */
export interface Discount {
  readonly id: string;
  readonly rule: Rule;
  /** The classes of other discounts that it may stand beside. Two combine where each names the class of the other. */
  readonly combinesWith: ReadonlySet<DiscountClass>;
}

export type Rule =
  /** On `products` each eligible line by itself; on `order` the sum of the eligible lines. */
  | {
      readonly kind: 'percentage';
      readonly on: 'products' | 'order';
      readonly percentage: Percentage;
      readonly among: Among;
    }
  /** On `products` from each eligible unit; on `order` once from the sum of the eligible lines. */
  | { readonly kind: 'fixed_amount'; readonly on: 'products' | 'order'; readonly amount: bigint; readonly among: Among }
  | { readonly kind: 'free_shipping' }
  | BuyGet;

/** For each `buy.quantity` units, the cheapest `get.quantity` others are lowered by a percentage. */
export interface BuyGet {
  readonly kind: 'buy_x_get_y';
  readonly buy: { readonly quantity: number; readonly among: Among };
  readonly get: { readonly quantity: number; readonly among: Among; readonly percentage: Percentage };
  /** How often in one order; null: as often as the units allow. */
  readonly most: number | null;
}

export function classOf({ rule }: Pick<Discount, 'rule'>): DiscountClass {
  if (rule.kind === 'free_shipping') return 'shipping';
  return rule.kind === 'buy_x_get_y' || rule.on === 'products' ? 'product' : 'order';
}

/** In the order of application: by class, within one as they are given. */
export const inOrder = (discounts: readonly Discount[]): Discount[] =>
  discountClasses.flatMap((one) => discounts.filter((discount) => classOf(discount) === one));

export function isAmong({ productIds, collectionIds }: Among, line: Line): boolean {
  if (!line.discountable) return false;
  if (productIds.size === 0 && collectionIds.size === 0) return true;
  return productIds.has(line.productId) || line.collectionIds.some((id) => collectionIds.has(id));
}
