import type { Route } from '@steward/contract';
import type { Identity } from '@steward/identity';
import type { Addresses } from '@steward/kernel';
import type { Tool } from '@steward/tools';
import { accountRoutes } from './accounts/routes.ts';
import { accountTools } from './accounts/tools.ts';

export const name = 'accounting';
export const migrations = new URL('./migrations/', import.meta.url);
export { accountingGrammar as grammar } from './grammar.ts';
export { accountGraph as graph } from './accounts/graph.ts';
export { openBooks } from './books/open.ts';

export interface Accounting {
  readonly routes: readonly Route[];
  readonly tools: readonly Tool[];
}

export function createAccounting(ports: { identity: Identity; addresses: Addresses }): Accounting {
  return { routes: accountRoutes(ports.identity.tenant(ports.addresses.accounting)), tools: accountTools };
}
