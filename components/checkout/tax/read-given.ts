import { taxesNamed } from '@steward/accounting';
import type { TenantTransaction } from '@steward/sql';
import type { Faults } from '../money.ts';
import type { Rate } from './zone.ts';

/** Rates with the percentages of their taxes, by category; what is wrong with them is told. */
export function readRates(
  faults: Faults,
  pointer: string,
  given: readonly { readonly category: string; readonly taxId: string | null }[],
  taxes: Taxes,
): Rate[] {
  const seen = new Set<string>();
  const rates = given.map(({ category, taxId }, index) => {
    if (seen.has(category))
      faults.add(`${pointer}/${index}/category`, 'repeated', `${category} is given twice: give each category once.`);
    seen.add(category);
    const tax = taxId === null ? undefined : taxes.get(taxId);
    if (taxId !== null && tax === undefined)
      faults.add(
        `${pointer}/${index}/taxId`,
        'unknown_tax',
        'There is no such tax rate in use in the books: list the tax rates for their ids.',
      );
    return { category, taxId, percentage: tax?.percentage ?? '0' };
  });
  if (!seen.has('standard'))
    faults.add(
      pointer,
      'standard_missing',
      'Give the category standard: it counts for all others that are not listed.',
    );
  return rates.toSorted((a, b) => (a.category < b.category ? -1 : 1));
}

type Taxes = ReadonlyMap<string, { readonly percentage: string }>;

/** The taxes in use that rates name, and those that `before` named: they stay although the books archived them. */
export async function taxesOf(
  tx: TenantTransaction,
  given: readonly { readonly taxId: string | null }[],
  before: readonly Rate[] = [],
): Promise<Taxes> {
  const named = await taxesNamed(tx, [...new Set(given.flatMap(({ taxId }) => taxId ?? []))]);
  const kept = new Set(before.map(({ taxId }) => taxId));
  return new Map(named.filter(({ id, archived }) => !archived || kept.has(id)).map((tax) => [tax.id, tax]));
}
