import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import type { Identity } from '@steward/identity';
import type { Addresses } from '@steward/kernel';
import { searchRecords, type SearchPorts } from './search.ts';

export const name = 'search';

export interface SearchNeeds extends SearchPorts {
  readonly identity: Pick<Identity, 'tenant'>;
  readonly addresses: Pick<Addresses, 'portal'>;
}

/** Its route is served at the portal's address: `/api/search`. */
export function create({ identity, addresses, ...ports }: SearchNeeds): {
  readonly serves: readonly [{ readonly at: 'portal'; readonly routes: readonly Route[] }];
} {
  const rest = restOf({ guard: identity.tenant(addresses.portal), tag: 'Search', ports });
  return {
    serves: [
      {
        at: 'portal',
        routes: [
          rest('GET', '/api/search', searchRecords, {
            // Of each kind, who may list it: what is found is what the caller would be shown by other routes.
            does: 'for_anyone',
            summary: 'Search all records',
            description:
              'Finds documents, payments, parties, accounts, entries, bank lines, contacts, orders, products, forms, agents and members, of the kinds that you may list.',
            answers: { 200: 'The nearest first: at most 5 of each kind, and 30 in all.' },
          }),
        ],
      },
    ],
  };
}
