import { divideRounded, type Pricing, withTax } from '@steward/accounting';
import { allocate } from '@steward/kernel';
import { type Lowered, unitsGot } from './buy-get.ts';
import { type Discount, inOrder, isAmong } from './discount.ts';
import { type Line, type LineTax, mostOfOneLine, pricedFor, type ShippingLine } from './line.ts';

/** All that totals follow from. */
export interface Priced {
  /** Whether prices contain tax: of lines, shipping and discounts alike. */
  readonly pricing: Pricing;
  readonly lines: readonly Line[];
  readonly shipping: ShippingLine | null;
}

/** What is paid for something, in minor units: `total` = `net` + `tax`, and `gross` less discounts is the one or the other. */
export interface Charged {
  /** Before discounts, with tax where prices are with tax. */
  readonly gross: bigint;
  /** What each discount takes off, in the order of application; none of zero. */
  readonly discounts: readonly { readonly discountId: string; readonly amount: bigint }[];
  readonly net: bigint;
  readonly tax: bigint;
  readonly total: bigint;
  readonly taxed: LineTax;
}

export interface ChargedLine extends Charged {
  readonly id: string;
  readonly quantity: number;
  /** As charged: without the tax in it where the buyer is relieved of it. */
  readonly unitPrice: bigint;
}

/** Net and tax of one rate, of lines and shipping together. */
export interface TaxSum extends LineTax {
  readonly net: bigint;
  readonly tax: bigint;
}

export interface Totals {
  /** In the order in which they were given. */
  readonly lines: readonly ChargedLine[];
  readonly shipping: Charged | null;
  /** What each discount takes off, in the order of application; zero where it found nothing. */
  readonly discounts: readonly { readonly discountId: string; readonly amount: bigint }[];
  /** Gross of the lines. */
  readonly subtotal: bigint;
  /** What all discounts take off, of shipping too. */
  readonly discount: bigint;
  readonly net: bigint;
  readonly tax: bigint;
  readonly total: bigint;
  /** Highest rate first. */
  readonly taxes: readonly TaxSum[];
}

const percent = 1_000_000n;

/** One thing to be charged while discounts are taken off. */
interface Charging {
  readonly gross: bigint;
  left: bigint;
  readonly discounts: { discountId: string; amount: bigint }[];
}

/**
 * Lines, shipping and their sums. Discounts apply to products, then to the order, then to shipping, each to what the previous left, and none
 * takes more than is there. Tax is that of the discounted line, by the rule of the books. What is spread over lines goes by the largest
 * remainder, ties to the lower id, so that the order of the lines decides nothing.
 * @throws RangeError for a quantity or price that no cart has
 */
export function totalsOf(order: Priced, discounts: readonly Discount[]): Totals {
  const { pricing, shipping } = order;
  const { charging, shipped, applied } = discounted(order, discounts);
  const charged = charging.map((one) => ({
    id: one.line.id,
    quantity: one.line.quantity,
    unitPrice: one.unitPrice,
    ...ended(one, one.line.tax, pricing),
  }));
  const delivery = shipping === null || shipped === null ? null : ended(shipped, shipping.tax, pricing);
  const all: readonly Charged[] = delivery === null ? charged : [...charged, delivery];
  return {
    lines: charged,
    shipping: delivery,
    discounts: applied,
    subtotal: sum(charged.map(({ gross }) => gross)),
    discount: sum(applied.map(({ amount }) => amount)),
    net: sum(all.map(({ net }) => net)),
    tax: sum(all.map(({ tax }) => tax)),
    total: sum(all.map(({ total }) => total)),
    taxes: taxesOf(all),
  };
}

/** What discounts take off an order, in minor units. */
export const discountOf = (order: Priced, discounts: readonly Discount[]): bigint =>
  sum(discounted(order, discounts).applied.map(({ amount }) => amount));

/** Lines in their order and shipping, with what is left of each. */
function discounted({ pricing, lines, shipping }: Priced, discounts: readonly Discount[]) {
  const charging = lines.map((line) => started(line, pricing));
  const byId = charging.toSorted((a, b) => (a.line.id < b.line.id ? -1 : a.line.id > b.line.id ? 1 : 0));
  const shipped = shipping === null ? null : begun(pricedFor(shipping.price, shipping.tax, pricing));
  const applied = inOrder(discounts).map((discount) => ({
    discountId: discount.id,
    amount: sum(apply(discount, byId, shipped).map(({ one, amount }) => lower(one, discount.id, amount))),
  }));
  return { charging, shipped, applied };
}

interface ChargingLine extends Charging, Lowered {
  readonly unitPrice: bigint;
}

function started(line: Line, pricing: Pricing): ChargingLine {
  const { quantity, id } = line;
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > mostOfOneLine)
    throw new RangeError(`line ${id} has no quantity from 1 to ${mostOfOneLine}`);
  const unitPrice = pricedFor(line.unitPrice, line.tax, pricing);
  return { line, unitPrice, spent: 0, ...begun(unitPrice * BigInt(quantity)) };
}

function begun(gross: bigint): Charging {
  if (gross < 0n) throw new RangeError('a price is below zero');
  return { gross, left: gross, discounts: [] };
}

/** What a discount takes off which lines, each at most what is left of it. */
function apply(
  { rule }: Discount,
  lines: readonly ChargingLine[],
  shipping: Charging | null,
): { one: Charging; amount: bigint }[] {
  if (rule.kind === 'free_shipping') return shipping === null ? [] : [{ one: shipping, amount: shipping.left }];
  if (rule.kind === 'buy_x_get_y')
    return [...unitsGot(rule, lines)].map(([lowered, units]) => {
      const one = lowered as ChargingLine;
      const dividend = one.left * BigInt(units) * rule.get.percentage;
      return { one, amount: divideRounded(dividend, BigInt(one.line.quantity) * percent) };
    });
  const eligible = lines.filter(({ line }) => isAmong(rule.among, line));
  if (rule.on === 'products')
    return eligible.map((one) => ({
      one,
      amount:
        rule.kind === 'percentage'
          ? divideRounded(one.left * rule.percentage, percent)
          : least(rule.amount * BigInt(one.line.quantity), one.left),
    }));
  const left = eligible.map((one) => one.left);
  const amount =
    rule.kind === 'percentage' ? divideRounded(sum(left) * rule.percentage, percent) : least(rule.amount, sum(left));
  const parts = allocate(amount, left);
  return eligible.map((one, index) => ({ one, amount: parts[index] ?? 0n }));
}

function lower(one: Charging, discountId: string, amount: bigint): bigint {
  if (amount === 0n) return 0n;
  one.left -= amount;
  one.discounts.push({ discountId, amount });
  return amount;
}

function ended({ gross, left, discounts }: Charging, tax: LineTax, pricing: Pricing): Charged {
  const amounts = tax.treatment === 'taxed' ? withTax(left, tax.percentage, pricing) : { net: left, tax: 0n };
  return { gross, discounts, ...amounts, total: amounts.net + amounts.tax, taxed: tax };
}

/** What is taxed how, the highest rate first. */
export function taxesOf(all: readonly Charged[]): TaxSum[] {
  const sums = new Map<string, TaxSum>();
  for (const { taxed, net, tax } of all) {
    const { taxId, percentage, treatment } = taxed;
    const key = `${treatment} ${taxId} ${percentage}`;
    const before = sums.get(key) ?? { treatment, taxId, percentage, net: 0n, tax: 0n };
    sums.set(key, { ...before, net: before.net + net, tax: before.tax + tax });
  }
  return [...sums]
    .toSorted(([a, { percentage: x }], [b, { percentage: y }]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1))
    .map(([, one]) => one);
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
