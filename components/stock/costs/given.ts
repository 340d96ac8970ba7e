import { type FieldError, formatAmount, howWritten, parseAmount } from '@steward/kernel';
import type { TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { invalidLines } from '../faults.ts';
import type { StockPorts } from '../ports.ts';
import { mostCost } from '../words.ts';

/** What the pieces of a line cost, together: a price for one would not say what three for 10.00 cost. */
export const costOf = (description: string) =>
  z
    .strictObject({
      amount: z.string().min(1).max(40).meta({ description: 'For all of them, such as "125.00".' }),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, 'Give a code of ISO 4217 in upper case, such as EUR')
        .meta({ description: 'The base currency of the books.' }),
    })
    .optional()
    .meta({ description });

interface Line {
  readonly cost?: { readonly amount: string; readonly currency: string } | undefined;
}

/**
 * What each line says that its pieces cost, in minor units of the base currency; undefined where it says nothing.
 * @throws Problem `invalid_request` (400) with pointers
 */
export async function costsGiven(
  tx: TenantTransaction,
  lines: readonly Line[],
  { baseCurrency }: StockPorts,
): Promise<readonly (bigint | undefined)[]> {
  if (lines.every(({ cost }) => cost === undefined)) return [];
  const base = await baseCurrency(tx);
  const faults: FieldError[] = [];
  const costs = lines.map(({ cost }, index) => {
    if (cost === undefined) return undefined;
    const fault = (member: string, code: string, detail: string): undefined => {
      faults.push({ pointer: `/lines/${index}/cost/${member}`, code, detail });
    };
    const { amount, currency } = cost;
    if (currency !== base)
      return fault('currency', 'other_currency', `Stock is valued in ${base}, the base currency of the books.`);
    const minor = parseAmount(amount, base);
    if (minor === undefined) return fault('amount', 'invalid_amount', `${howWritten(amount, base)}.`);
    if (minor < 0n) return fault('amount', 'too_small', 'Goods cost 0 or more.');
    if (minor > mostCost) return fault('amount', 'too_big', `Give at most ${formatAmount(mostCost, base)}.`);
    return minor;
  });
  if (faults.length > 0) throw invalidLines(faults);
  return costs;
}
