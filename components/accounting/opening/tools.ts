import { keepBooks } from '../permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { entrySchema, forApproval, moving, snakeEntry } from '../journal/tools.ts';
import { dayText } from '../money/schema.ts';
import { importBalances } from './import-balances.ts';
import { importChart } from './import-chart.ts';

const ground = {
  pillar: 'accounting',
  area: 'books',
  kind: 'command',
  core: false,
  surfaces: ['public', 'internal'],
  annotations: { destructiveHint: false, idempotentHint: true },
  requires: keepBooks,
  personas: [],
} as const;
const content = z.string().min(1).max(900_000).meta({ description: 'The CSV file as text, with a heading.' });

export const openingTools: readonly Tool[] = [
  tool({
    ...ground,
    // What is money, and what an account is called, decides what people see leave: a person says so.
    tier: 'approval',
    name: 'service_import_chart_of_accounts',
    title: 'Import a chart of accounts',
    description:
      'Adds accounts from CSV: code, name, type (asset, liability, equity, income, expense, or bank for one that holds money), ' +
      'currency. All or nothing.',
    input: z.strictObject({ content }),
    output: z.object({ added: z.int(), renamed: z.int() }),
    run: async (call, input) => {
      const { added, renamed, accounts } = await importChart(call.context, input.content);
      const money = accounts.filter((one) => one.money && one.formerly === null).length;
      return {
        summary: call.preview
          ? `Would add ${added} accounts, of which ${money} hold money, and rename ${renamed}.`
          : `${added} accounts added, of which ${money} hold money, ${renamed} renamed.`,
        data: { added, renamed },
        preview: { accounts },
      };
    },
  }),
  tool({
    ...ground,
    tier: 'approval',
    name: 'service_import_opening_balances',
    title: 'Post opening balances',
    description:
      'Posts the opening entry from CSV: account (code), debit, credit, in the base currency. One file, once; to do it again, reverse that entry first.',
    input: z.strictObject({
      date: dayText,
      content,
      balance_to: z
        .string()
        .max(40)
        .optional()
        .meta({ description: 'Account that takes what is missing to balance, such as the owner’s equity.' }),
    }),
    output: z.object({ entry: entrySchema }),
    approval: moving,
    run: async (call, { date, content: text, balance_to }) => {
      const { entry, effects } = await importBalances(call.context, { date, content: text, balanceTo: balance_to });
      return {
        summary: call.preview
          ? `Would open the books on ${entry.date}.`
          : `Entry ${entry.number} opens the books on ${entry.date}.`,
        data: { entry: snakeEntry(entry) },
        ...forApproval({ entries: [entry], effects }),
      };
    },
  }),
];
