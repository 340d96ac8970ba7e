import { toolOf, type Tool } from '@steward/tools';
import { z } from 'zod';
import { entry } from '../journal/entry.ts';
import { postingOne } from '../journal/traits.ts';
import { importBalances } from './import-balances.ts';
import { importChart } from './import-chart.ts';

const annotations = { destructiveHint: false, idempotentHint: true } as const;

export const openingTools: readonly Tool[] = [
  toolOf(importChart, {
    core: false,
    annotations,
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
  toolOf(importBalances, {
    ...postingOne,
    core: false,
    annotations,
    title: 'Post opening balances',
    description:
      'Posts the opening entry from CSV: account (code), debit, credit, in the base currency. One file, once; to do it again, reverse that entry first.',
    shows: { schema: z.object({ entry: entry.answer }), of: ({ entry: one }) => ({ entry: one }) },
    say: ({ entry: { number, date } }, preview) =>
      preview ? `Would open the books on ${date}.` : `Entry ${number} opens the books on ${date}.`,
  }),
];
