import { exponentOf, isCurrency } from '@steward/kernel';
import type { Money } from '@steward/tools';
import { z } from 'zod';

/** An amount in minor units of its currency. */
export interface Minor {
  readonly currency: string;
  readonly minor: bigint;
}

const largest = 2n ** 63n - 1n;

/**
 * Minor units of a decimal amount, which has exactly the currency's digits (contracts §1).
 * @returns undefined for anything else: a sign, another number of digits, no currency, more than 2⁶³−1
 */
export function minorOf({ amount, currency }: Money): Minor | undefined {
  if (!isCurrency(currency)) return undefined;
  const [, whole, digits = ''] = /^(0|[1-9]\d{0,18})(?:\.(\d+))?$/.exec(amount) ?? [];
  const exponent = exponentOf(currency);
  if (whole === undefined || digits.length !== exponent || (exponent === 0 && amount.includes('.'))) return undefined;
  const minor = BigInt(whole + digits);
  return minor > largest ? undefined : { currency, minor };
}

export function moneyOf({ currency, minor }: Minor): Money {
  const exponent = exponentOf(currency);
  const digits = String(minor).padStart(exponent + 1, '0');
  const at = digits.length - exponent;
  return { amount: exponent === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`, currency };
}

export const money = z
  .strictObject({ amount: z.string().max(32), currency: z.string().length(3) })
  .refine(
    (value) => minorOf(value) !== undefined,
    'Give a decimal string with exactly the digits of its ISO 4217 currency',
  )
  .meta({ description: 'Such as {"amount": "250.00", "currency": "EUR"}.' });
