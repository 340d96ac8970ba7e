import {
  fail,
  type FieldError,
  formatAmount,
  howWritten,
  isCurrency,
  type Money,
  money,
  parseAmount,
} from '@steward/kernel';
import { z } from 'zod';

/** Minor units, of a setting: a million million is no price, and every number holds it exactly. */
const mostMinor = 999_999_999_999n;

export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'Give a code of ISO 4217 in upper case, such as EUR', abort: true })
  .refine(isCurrency, 'ISO 4217 has no such currency with a minor unit: give a code such as EUR')
  .meta({ description: 'ISO 4217, upper case.' });

/** The digits are checked against the currency by the verb. */
export const amountText = z
  .string()
  .min(1)
  .max(40)
  .meta({ description: 'With exactly the digits of its currency: "10.00" in EUR, "10" in JPY.' });

export const moneyGiven = z.strictObject({ amount: amountText, currency });

/** Collects what is wrong with a request, each with its pointer. */
export class Faults {
  readonly #errors: FieldError[] = [];

  add(pointer: string, code: string, detail: string): void {
    this.#errors.push({ pointer, code, detail });
  }

  /** Minor units, not negative; 0 where it is none, which is told. */
  amount(pointer: string, text: string, of: string): bigint {
    const minor = parseAmount(text, of);
    if (minor !== undefined && minor >= 0n && minor <= mostMinor) return minor;
    const detail =
      minor === undefined
        ? `${howWritten(text, of)}.`
        : minor < 0n
          ? `${text} is below zero: give an amount such as ${formatAmount(123456n, of)}.`
          : `${text} is beyond what is sold: give at most ${formatAmount(mostMinor, of)}.`;
    this.add(pointer, 'invalid_amount', detail);
    return 0n;
  }

  /** @throws Problem `invalid_request` (400) with up to twenty pointers */
  throw(): void {
    const [first] = this.#errors;
    if (first === undefined) return;
    throw fail('invalid_request', `${first.pointer}: ${first.detail}`, { errors: this.#errors.slice(0, 20) });
  }
}

/** Amounts by currency as a row keeps them: minor units as text, because JSON has no large integers. */
export type Kept = Readonly<Record<string, string>>;

export const moniesOf = (kept: Kept): Money[] =>
  Object.entries(kept)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, minor]) => money(BigInt(minor), code));

/** Each currency once. */
export function keptOf(faults: Faults, pointer: string, given: readonly z.output<typeof moneyGiven>[]): Kept {
  const kept = new Map<string, string>();
  for (const [index, one] of given.entries()) {
    if (kept.has(one.currency))
      faults.add(
        `${pointer}/${index}/currency`,
        'repeated',
        `${one.currency} is given twice: give each currency once.`,
      );
    kept.set(one.currency, String(faults.amount(`${pointer}/${index}/amount`, one.amount, one.currency)));
  }
  return Object.fromEntries(kept);
}
