import { type Guard, pageOf, pageQuery, route, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { z } from 'zod';
import { accountTypes } from '../books/template.ts';
import { getAccount } from './get.ts';
import { listAccounts } from './list.ts';

const account = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  type: z.enum(accountTypes),
  control: z.string().nullable(),
  currency: z.string(),
});

export const accountRoutes = (guard: Guard<Admitted>): Route[] => [
  route({
    method: 'GET',
    path: '/api/accounts',
    does: 'service_list_accounts',
    summary: 'List the chart of accounts by code',
    tag: 'Accounts',
    guard,
    query: pageQuery().extend({ type: z.enum(accountTypes).optional() }),
    answers: {
      200: {
        description: 'A page of accounts.',
        schema: pageOf(account),
      },
    },
    errors: ['invalid_cursor'],
    handle: async ({ guard: { context }, query }) => ({
      status: 200,
      body: await listAccounts(context, query, query),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/accounts/:accountId',
    does: 'service_get_account',
    summary: 'Read an account',
    tag: 'Accounts',
    guard,
    params: z.strictObject({ accountId: z.string().min(1).max(40).meta({ description: 'Code or id.' }) }),
    answers: { 200: { description: 'The account.', schema: account } },
    errors: ['not_found'],
    handle: async ({ guard: { context }, params }) => ({
      status: 200,
      body: await getAccount(context, params.accountId),
    }),
  }),
];
