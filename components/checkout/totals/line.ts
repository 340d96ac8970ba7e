import { divideRounded, type Percentage, type Pricing } from '@steward/accounting';

/** `none`: nobody is asked for tax there. `exempt` and `reverse_charge`: the buyer pays none, though the percentage would be due. */
export const treatments = ['taxed', 'none', 'exempt', 'reverse_charge'] as const;

/** What tax a line carries, as the tax engine answered it. */
export interface LineTax {
  readonly treatment: (typeof treatments)[number];
  /** A tax of the books; null where none is due. */
  readonly taxId: string | null;
  /** Of one who pays it, times 10^4; it is what prices with tax contain. */
  readonly percentage: Percentage;
}

/** A line of a cart, as the catalogue prices it. */
export interface Line {
  readonly id: string;
  /** 1 to 999 999. */
  readonly quantity: number;
  /** Minor units, not negative. */
  readonly unitPrice: bigint;
  readonly tax: LineTax;
  readonly productId: string;
  readonly collectionIds: readonly string[];
  /** false: no discount counts it or lowers it, as of gift cards. */
  readonly discountable: boolean;
}

/** The chosen way of shipping. */
export interface ShippingLine {
  /** Minor units, not negative. */
  readonly price: bigint;
  readonly tax: LineTax;
}

export const mostOfOneLine = 999_999;
const whole = 1_000_000n;

/**
 * What a buyer who is relieved of tax pays instead of a price that contains it: the price without the tax in it, rounded for one unit, so
 * that a business sees a unit price and its quantity gives the line.
 */
export function pricedFor(price: bigint, { treatment, percentage }: LineTax, pricing: Pricing): bigint {
  const relieved = treatment === 'exempt' || treatment === 'reverse_charge';
  if (pricing === 'exclusive' || !relieved) return price;
  return price - divideRounded(price * percentage, whole + percentage);
}
