import { exponentOf } from '@steward/kernel';
import { z } from 'zod';
import { divideRounded, type Percentage } from '../taxes/percentage.ts';
import { unit } from './decimal.ts';

/** Whether unit prices are without tax or with it. */
export const pricing = z.enum(['exclusive', 'inclusive']);
export type Pricing = z.output<typeof pricing>;

export interface Priced {
  /** Times 10^6. */
  readonly quantity: bigint;
  /** Times 10^6, in units of the currency. */
  readonly unitPrice: bigint;
  readonly percentage: Percentage | undefined;
}

/** Minor units. */
export interface Amounts {
  readonly net: bigint;
  readonly tax: bigint;
}

const whole = 1_000_000n;

/**
 * The rule of rounding: quantity times unit price is rounded to the minor unit, line by line, half away from zero. Where
 * prices are without tax that is the net, and the tax is the percentage of it, rounded likewise. Where prices are with
 * tax it is what is paid; the tax in it, paid × p / (100 + p), is rounded likewise, and the net is the rest. Totals are
 * sums of lines, so a document adds up as it is read.
 */
export function amountsOf({ quantity, unitPrice, percentage = 0n }: Priced, currency: string, given: Pricing): Amounts {
  const priced = divideRounded(quantity * unitPrice * 10n ** BigInt(exponentOf(currency)), unit * unit);
  return withTax(priced, percentage, given);
}

/** The second half of the rule: net and tax of what a line costs, in minor units, as its prices are given. */
export function withTax(priced: bigint, percentage: Percentage, given: Pricing): Amounts {
  if (given === 'exclusive') return { net: priced, tax: divideRounded(priced * percentage, whole) };
  const tax = divideRounded(priced * percentage, whole + percentage);
  return { net: priced - tax, tax };
}
