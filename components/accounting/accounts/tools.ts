import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import { account } from './account.ts';
import { getAccount } from './get.ts';
import { listAccounts } from './list.ts';

export const accountTools: readonly Tool[] = [
  toolOf(listAccounts, {
    core: true,
    title: 'List accounts',
    description: 'Lists the chart of accounts by code.',
    answers: { items: 'accounts' },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'account')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
  toolOf(getAccount, {
    core: true,
    title: 'Get an account',
    description: 'Reads one account of the chart of accounts.',
    shows: under('account', account.answer),
    say: ({ code, name, type, currency }) => `${code} ${name} (${type}, ${currency}).`,
  }),
];
