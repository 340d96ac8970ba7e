import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { getAccount } from './get.ts';
import { listAccounts } from './list.ts';

export function accountRoutes(guard: Guard<Admitted>): Route[] {
  const rest = restOf({ guard, tag: 'Accounts' });
  return [
    rest('GET', '/api/accounts', listAccounts, {
      summary: 'List the chart of accounts by code',
      answers: { 200: 'A page of accounts.' },
    }),
    rest('GET', '/api/accounts/:accountId', getAccount, {
      summary: 'Read an account',
      answers: { 200: 'The account.' },
    }),
  ];
}
