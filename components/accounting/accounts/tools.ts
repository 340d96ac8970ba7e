import { pageLimit } from '@steward/contract';
import { counted } from '@steward/kernel';
import { readBooks } from '../permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { accountTypes } from '../books/template.ts';
import { getAccount } from './get.ts';
import { listAccounts } from './list.ts';

const account = z.object({
  id: z.string().meta({ description: 'UUID of the account.' }),
  code: z.string(),
  name: z.string(),
  type: z.enum(accountTypes),
  control: z.string().nullable(),
  currency: z.string(),
});

const ground = {
  pillar: 'accounting',
  area: 'books',
  kind: 'query',
  tier: 'read',
  core: true,
  surfaces: ['public', 'internal'],
  annotations: { idempotentHint: true },
  requires: readBooks,
  personas: [],
} as const;

export const accountTools: readonly Tool[] = [
  tool({
    ...ground,
    name: 'service_list_accounts',
    title: 'List accounts',
    description: 'Lists the chart of accounts by code. Give `cursor` from `next_cursor` for the next page.',
    input: z.strictObject({
      limit: pageLimit.meta({ description: 'How many accounts at most.' }),
      cursor: z.uuid().optional().meta({ description: '`next_cursor` of the page before.' }),
      type: z.enum(accountTypes).optional().meta({ description: 'Only accounts of this type.' }),
    }),
    output: z.object({ accounts: z.array(account), next_cursor: z.string().nullable() }),
    run: async (call, args) => {
      const page = await listAccounts(call.context, args, args);
      const more = page.nextCursor === null ? '' : ' There are more.';
      return {
        summary: `${counted(page.items.length, 'account')}.${more}`,
        data: { accounts: page.items, next_cursor: page.nextCursor },
      };
    },
  }),
  tool({
    ...ground,
    name: 'service_get_account',
    title: 'Get an account',
    description: 'Reads one account of the chart of accounts.',
    input: z.strictObject({
      account_id: z.string().min(1).max(40).meta({ description: 'Code or id, from service_list_accounts.' }),
    }),
    output: z.object({ account }),
    run: async (call, args) => {
      const found = await getAccount(call.context, args.account_id);
      return { summary: `${found.code} ${found.name} (${found.type}, ${found.currency}).`, data: { account: found } };
    },
  }),
];
