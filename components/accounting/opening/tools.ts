import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import { z } from 'zod';
import { entry } from '../journal/entry.ts';
import { postingOne, sumOf } from '../journal/traits.ts';
import { importBalances } from './import-balances.ts';
import { importChart } from './import-chart.ts';

const annotations = { destructiveHint: false, idempotentHint: true } as const;

export const openingTools: readonly Tool[] = [
  toolOf(importChart, {
    core: false,
    annotations,
    title: 'Import a chart of accounts',
    description:
      'Adds accounts from a CSV file with the columns code, name, type (asset, liability, equity, income, expense, or ' +
      'bank for an account that holds money) and currency. Renames accounts that exist. All lines are imported or none.',
    shows: { schema: importChart.answer.omit({ accounts: true }), of: (imported) => imported },
    preview: ({ accounts }) => ({ accounts }),
    keepsPreview: true,
    say: ({ added, renamed, accounts }, preview) => {
      const money = accounts.filter((one) => one.money && one.formerly === null).length;
      const holds = money === 1 ? 'holds' : 'hold';
      return preview
        ? `Would add ${counted(added, 'account')}, of which ${money} ${holds} money, and rename ${renamed}.`
        : `${counted(added, 'account')} added, of which ${money} ${holds} money, ${renamed} renamed.`;
    },
  }),
  toolOf(importBalances, {
    ...postingOne,
    core: false,
    annotations,
    title: 'Post opening balances',
    description:
      'Posts the opening balances from a CSV file with the columns account (code), debit and credit, in the base ' +
      'currency. Only once: to repeat it, reverse that entry first. Post the balance of an account in another currency as a journal entry ' +
      'in that currency.',
    shows: { schema: z.object({ entry: entry.answer }), of: ({ entry: one }) => ({ entry: one }) },
    say: ({ entry: one }, preview) =>
      preview
        ? `Would open the books on ${one.date} with ${sumOf(one)}.`
        : `Entry ${one.number} opens the books on ${one.date} with ${sumOf(one)}.`,
  }),
];
