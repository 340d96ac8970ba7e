import type { Account } from '../../data/accounts.ts';
import { useGraph, type Paged } from '../../data/queries.ts';

/** Only documents and payments post to receivables and payables. */
export const ofSubledger = ({ control }: Account): boolean => control === 'receivable' || control === 'payable';

/** Accounts that payments are made from and received into: those of banks first. */
export const ofMoney = (accounts: readonly Account[]): readonly Account[] =>
  accounts
    .filter(
      ({ type, control }) =>
        (type === 'asset' && [null, 'bank', 'undeposited', 'clearing'].includes(control)) ||
        (type === 'liability' && control === null),
    )
    .toSorted((a, b) => Number(b.control === 'bank') - Number(a.control === 'bank'));

/** The currency of the books: that of what customers owe, which every chart of accounts has. */
export const baseOf = (accounts: readonly Account[]): string | undefined =>
  accounts.find(({ control }) => control === 'receivable')?.currency;

export interface Party {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  readonly termsDays: number;
}

/**
 * Customers or suppliers whose name has some text in it, a hundred at most; `known` once they are the answer to that text and
 * to no earlier one.
 */
export function useParties(
  name: string,
  role?: 'customer' | 'supplier',
): { readonly parties: readonly Party[]; readonly known: boolean } {
  const { data, isSuccess, isPlaceholderData } = useGraph<{ readonly parties: Paged<Party> }>('money-parties', {
    role,
    ...(name === '' ? {} : { name }),
  });
  return { parties: data?.parties.items ?? [], known: isSuccess && !isPlaceholderData };
}

export interface TaxRate {
  readonly id: string;
  readonly name: string;
  readonly percentage: string;
}

export function useTaxRates(): readonly TaxRate[] {
  const { data } = useGraph<{ readonly taxRates: readonly TaxRate[] }>('money-taxes');
  return data?.taxRates ?? [];
}
