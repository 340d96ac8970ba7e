import { keepBooks } from '../permissions.ts';
import { tool, toolOf, type Tool } from '@steward/tools';
import { z } from 'zod';
import { entry } from '../journal/entry.ts';
import { forApproval, moving } from '../journal/tools.ts';
import { dayText } from '../money/schema.ts';
import { importBalances } from './import-balances.ts';
import { csv, importChart } from './import-chart.ts';

const common = {
  pillar: 'accounting',
  area: 'books',
  kind: 'command',
  core: false,
  surfaces: ['public', 'internal'],
  annotations: { destructiveHint: false, idempotentHint: true },
  requires: keepBooks,
  personas: [],
} as const;

export const openingTools: readonly Tool[] = [
  toolOf(importChart, {
    core: false,
    annotations: common.annotations,
    title: 'Import a chart of accounts',
    description:
      'Adds accounts from CSV: code, name, type (asset, liability, equity, income, expense, or bank for one that holds money), ' +
      'currency. All or nothing.',
    shows: { schema: importChart.answer.omit({ accounts: true }), of: (imported) => imported },
    preview: ({ accounts }) => ({ accounts }),
    keepsPreview: true,
    say: ({ added, renamed, accounts }, preview) => {
      const money = accounts.filter((one) => one.money && one.formerly === null).length;
      return preview
        ? `Would add ${added} accounts, of which ${money} hold money, and rename ${renamed}.`
        : `${added} accounts added, of which ${money} hold money, ${renamed} renamed.`;
    },
  }),
  tool({
    ...common,
    tier: 'approval',
    name: 'service_import_opening_balances',
    title: 'Post opening balances',
    description:
      'Posts the opening entry from CSV: account (code), debit, credit, in the base currency. One file, once; to do it again, reverse that entry first.',
    input: z.strictObject({
      date: dayText,
      content: csv,
      balance_to: z
        .string()
        .max(40)
        .optional()
        .meta({ description: 'Account that takes what is missing to balance, such as the owner’s equity.' }),
    }),
    output: z.object({ entry: entry.answer }),
    approval: moving,
    run: async (call, { date, content: text, balance_to }) => {
      const { entry, effects } = await importBalances(call.context, { date, content: text, balanceTo: balance_to });
      return {
        summary: call.preview
          ? `Would open the books on ${entry.date}.`
          : `Entry ${entry.number} opens the books on ${entry.date}.`,
        data: { entry },
        ...forApproval({ entries: [entry], effects }),
      };
    },
  }),
];
