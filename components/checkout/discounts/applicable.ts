import { parsePercentage } from '@steward/accounting';
import { type Money, parseAmount } from '@steward/kernel';
import { type Among, type Discount, isAmong, type Rule } from '../totals/discount.ts';
import type { Priced } from '../totals/totals.ts';
import type { DiscountSetting } from './discount.ts';

/** What a discount is judged by beside its terms. */
export interface Sale extends Priced {
  /** ISO 4217. */
  readonly currency: string;
  readonly brandId: string;
}

/** Why a discount does nothing for an order. */
export const refusals = [
  'discount_not_found',
  'discount_not_started',
  'discount_ended',
  'discount_exhausted',
  'discount_used_by_buyer',
  'discount_wrong_currency',
  'discount_nothing_eligible',
  'discount_minimum_not_met',
] as const;
export type Inapplicable = (typeof refusals)[number];

/** A discount as it is calculated for the order, or why it does nothing. One that is inactive, or of another brand, is as one that there is not. */
export function applicable(
  setting: DiscountSetting,
  { currency, brandId, lines, shipping }: Sale,
): Discount | Inapplicable {
  const { status, brandIds } = setting;
  if (status === 'archived' || status === 'inactive') return 'discount_not_found';
  if (brandIds.length > 0 && !brandIds.includes(brandId)) return 'discount_not_found';
  if (status === 'scheduled') return 'discount_not_started';
  if (status === 'expired') return 'discount_ended';
  if (status === 'exhausted') return 'discount_exhausted';
  const rule = ruleOf(setting, currency);
  if (rule === undefined) return 'discount_wrong_currency';
  const { productIds, collectionIds } = setting;
  // What is bought for a gift may be anything.
  const among = rule.kind === 'buy_x_get_y' ? amongOf([], []) : amongOf(productIds, collectionIds);
  const eligible = lines.filter((line) => isAmong(among, line));
  if (eligible.length === 0 || (rule.kind === 'free_shipping' && shipping === null)) return 'discount_nothing_eligible';
  const { minimumAmounts, minimumQuantity } = setting;
  const least = minimumAmounts.length === 0 ? 0n : minorIn(minimumAmounts, currency);
  if (least === undefined) return 'discount_wrong_currency';
  const price = eligible.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * BigInt(quantity), 0n);
  const units = eligible.reduce((sum, { quantity }) => sum + quantity, 0);
  if (price < least || units < (minimumQuantity ?? 0)) return 'discount_minimum_not_met';
  return { id: setting.id, rule, combinesWith: new Set(setting.combinesWith) };
}

const amongOf = (products: readonly string[], collections: readonly string[]): Among => ({
  productIds: new Set(products),
  collectionIds: new Set(collections),
});

/** Undefined where it has no amount in the currency. */
function ruleOf(setting: DiscountSetting, currency: string): Rule | undefined {
  const { kind, amounts, percentage, productIds, collectionIds, appliesTo } = setting;
  const among = amongOf(productIds, collectionIds);
  const on = appliesTo ?? 'order';
  const share = parsePercentage(percentage ?? '') ?? 0n;
  switch (kind) {
    case 'free_shipping':
      return { kind };
    case 'percentage':
      return { kind, on, percentage: share, among };
    case 'fixed_amount': {
      const amount = minorIn(amounts, currency);
      return amount === undefined ? undefined : { kind, on, amount, among };
    }
    case 'buy_x_get_y':
      return {
        kind,
        buy: {
          quantity: setting.buyQuantity ?? 1,
          among: amongOf(setting.buyProductIds, setting.buyCollectionIds),
        },
        get: { quantity: setting.getQuantity ?? 1, among, percentage: share },
        most: setting.timesPerOrder,
      };
  }
}

function minorIn(monies: readonly Money[], currency: string): bigint | undefined {
  const found = monies.find((one) => one.currency === currency);
  return found === undefined ? undefined : parseAmount(found.amount, currency);
}
