import { type Pricing, withTax } from '@steward/accounting';
import type { PlacedTax } from '../orders/placing.ts';
import type { Paid, Version, VersionLine, VersionShipping } from './version.ts';

/** What a line had when it came into the order: what its discounts are shared from, however often it is lowered. */
export interface Bought {
  readonly quantity: number;
  readonly discounts: readonly { readonly discountId: string; readonly amount: bigint }[];
}

/** A line that is added, at the price and with the tax of this moment. */
export type Added = Omit<VersionLine, 'position' | keyof Paid> & { readonly taxed: PlacedTax };

export interface Changing {
  readonly pricing: Pricing;
  /** How many of a line are left, of each that is lowered. */
  readonly quantities: ReadonlyMap<string, number>;
  readonly bought: ReadonlyMap<string, Bought>;
  readonly added: readonly Added[];
  /** The tax of each line at another address, and of shipping; undefined: it stays what it was. */
  readonly taxes: { readonly of: ReadonlyMap<string, PlacedTax>; readonly shipping: PlacedTax | undefined } | undefined;
}

/**
 * The next version of an order. What stays keeps its price and its tax. A line that is lowered keeps the share of its discounts that its units have
 * (`shared`), and no discount is spread again; its net and tax are those of what is then paid for it, by the one rule of rounding. Sums are sums of lines.
 */
export function nextVersion(now: Version, changing: Changing): Version {
  const { pricing, quantities, bought, added, taxes } = changing;
  const taxOf = (one: Paid, next: PlacedTax | undefined) => (next === undefined ? one : retaxed(one, next, pricing));
  const kept = now.lines.map((line): VersionLine => {
    const quantity = quantities.get(line.id) ?? line.quantity;
    const left = quantity === line.quantity ? line : lowered(line, quantity, bought.get(line.id) ?? line, pricing);
    return { ...left, ...taxOf(left, taxes?.of.get(line.id)) };
  });
  const first = now.lines.reduce((most, { position }) => Math.max(most, position), -1) + 1;
  const made = added.map(({ taxed, ...line }, at): VersionLine => ({
    ...line,
    position: first + at,
    ...charged({ gross: line.unitPrice * BigInt(line.quantity), discounts: [] }, taxed, pricing),
  }));
  const lines = [...kept, ...made];
  const shipping = now.shipping === null ? null : { ...now.shipping, ...taxOf(now.shipping, taxes?.shipping) };
  return versionOf(lines, shipping, now.discounts);
}

/** A version of these; of discounts, those that take something off. Sums are sums of lines. */
export function versionOf(
  lines: readonly VersionLine[],
  shipping: VersionShipping | null,
  discounts: Version['discounts'],
): Version {
  const all: readonly Paid[] = [
    ...lines.filter(({ quantity }) => quantity > 0),
    ...(shipping === null ? [] : [shipping]),
  ];
  const off = (discountId: string): bigint =>
    sum(
      all.flatMap((paid) => paid.discounts.filter((one) => one.discountId === discountId).map(({ amount }) => amount)),
    );
  return {
    lines,
    shipping,
    discounts: discounts.map((one) => ({ ...one, amount: off(one.discountId) })).filter(({ amount }) => amount > 0n),
    taxes: taxesOf(all),
    subtotal: sum(lines.map(({ gross }) => gross)),
    discount: sum(all.flatMap((paid) => paid.discounts.map(({ amount }) => amount))),
    net: sum(all.map(({ net }) => net)),
    tax: sum(all.map(({ tax }) => tax)),
    total: sum(all.map(({ total }) => total)),
  };
}

/** What is left of an amount for so many of its units: shares add up, whichever steps lead to them. Half goes up. */
export const shared = (amount: bigint, units: number, of: number): bigint =>
  (2n * amount * BigInt(units) + BigInt(of)) / (2n * BigInt(of));

function lowered(line: VersionLine, quantity: number, was: Bought, pricing: Pricing): VersionLine {
  const gross = line.unitPrice * BigInt(quantity);
  let left = gross;
  const discounts = was.discounts.flatMap(({ discountId, amount }) => {
    const part = shared(amount, quantity, was.quantity);
    const own = part < left ? part : left;
    left -= own;
    return own === 0n ? [] : [{ discountId, amount: own }];
  });
  return { ...line, quantity, ...charged({ gross, discounts }, line, pricing) };
}

function charged({ gross, discounts }: Pick<Paid, 'gross' | 'discounts'>, tax: PlacedTax, pricing: Pricing): Paid {
  const paid = gross - sum(discounts.map(({ amount }) => amount));
  const { treatment, taxId, percentage } = tax;
  const amounts = treatment === 'taxed' ? withTax(paid, percentage, pricing) : { net: paid, tax: 0n };
  return { gross, discounts, ...amounts, total: amounts.net + amounts.tax, treatment, taxId, percentage };
}

const isSame = (a: PlacedTax, b: PlacedTax): boolean =>
  a.treatment === b.treatment && a.taxId === b.taxId && a.percentage === b.percentage;

/** What somebody who is relieved of tax pays is another price where prices contain it. */
const isRelieved = ({ treatment, percentage }: PlacedTax): boolean =>
  (treatment === 'exempt' || treatment === 'reverse_charge') && percentage > 0n;

/** The price without the tax in it was agreed, or the one with it, and nobody agreed to the other. */
export class OtherPrice extends Error {}

/** @throws OtherPrice where the tax changes the price itself */
function retaxed(one: Paid, next: PlacedTax, pricing: Pricing): Paid {
  if (isSame(one, next)) return one;
  if (pricing === 'inclusive' && (isRelieved(one) || isRelieved(next))) throw new OtherPrice();
  return charged(one, next, pricing);
}

/** By rate, highest first. */
function taxesOf(all: readonly Paid[]): Version['taxes'] {
  const sums = new Map<string, PlacedTax & { net: bigint; tax: bigint }>();
  for (const { treatment, taxId, percentage, net, tax } of all) {
    const key = `${treatment} ${taxId} ${percentage}`;
    const before = sums.get(key) ?? { treatment, taxId, percentage, net: 0n, tax: 0n };
    sums.set(key, { ...before, net: before.net + net, tax: before.tax + tax });
  }
  return [...sums]
    .toSorted(([a, { percentage: x }], [b, { percentage: y }]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1))
    .map(([, one]) => one);
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);
