import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { graph } from './graph.ts';
import { useTenant } from './organization.ts';
import type { Paged } from './queries.ts';

export interface Account {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly type: 'asset' | 'equity' | 'expense' | 'income' | 'liability';
  readonly control: string | null;
  readonly currency: string;
}

/** A chart of accounts has some hundred at most. */
const mostPages = 10;

/** The whole chart of accounts, by code. */
export function useAccounts(): UseQueryResult<readonly Account[]> {
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, 'accounting', 'money-accounts', 'all'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const all: Account[] = [];
      let cursor: string | null | undefined;
      for (let page = 0; page < mostPages && cursor !== null; page += 1) {
        const { accounts } = await graph<{ readonly accounts: Paged<Account> }>(
          tenant,
          'money-accounts',
          { cursor },
          { signal, reads: true },
        );
        all.push(...accounts.items);
        cursor = accounts.nextCursor ?? null;
      }
      return all;
    },
  });
}
