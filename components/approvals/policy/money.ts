import { exponentOf, formatAmount, howWritten, isCurrency, parseAmount } from '@steward/kernel';
import type { Money } from '@steward/tools';
import { field } from '@steward/contract';
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
  if (!isCurrency(currency) || amount.startsWith('-')) return undefined;
  const minor = parseAmount(amount, currency);
  return minor === undefined || minor > largest ? undefined : { currency, minor };
}

export function moneyOf({ currency, minor }: Minor): Money {
  const exponent = exponentOf(currency);
  const digits = String(minor).padStart(exponent + 1, '0');
  const at = digits.length - exponent;
  return { amount: exponent === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`, currency };
}

export const money = z
  .strictObject({ amount: z.string().max(32), currency: z.string().length(3) })
  .superRefine((given, check) => {
    const fault = faultOf(given);
    if (fault !== undefined)
      check.addIssue({ code: 'custom', params: { code: fault.code }, path: [fault.member], message: fault.detail });
  })
  .meta({ description: 'Such as {"amount": "250.00", "currency": "EUR"}.' });

/** Minor units in one column of a noun, of the currency that another names; null where either is. */
export const moneyIn = (amount: string, currency: string, schema = money.nullable()) =>
  field(
    schema,
    `case when ${amount} is not null and ${currency} is not null then array[${currency}::text, ${amount}::text] end`,
    (value) => {
      const [held, minor] = (value ?? []) as readonly string[];
      return held === undefined || minor === undefined ? null : moneyOf({ currency: held, minor: BigInt(minor) });
    },
  );

function faultOf(given: Money): { member: keyof Money; code: string; detail: string } | undefined {
  const { amount, currency } = given;
  if (!isCurrency(currency))
    return {
      member: 'currency',
      code: 'invalid_value',
      detail: `${currency} is no currency of ISO 4217 with a minor unit: give a code such as EUR`,
    };
  if (minorOf(given) !== undefined) return undefined;
  const detail = amount.startsWith('-')
    ? 'Give an amount of zero or more, without a sign'
    : parseAmount(amount, currency) === undefined
      ? howWritten(amount, currency)
      : `Give at most ${formatAmount(largest, currency)}`;
  return { member: 'amount', code: 'invalid_amount', detail };
}
