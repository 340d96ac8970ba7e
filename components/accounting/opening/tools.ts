import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import { posting, sumOf } from '../journal/traits.ts';
import { booked } from '../subledger/shown.ts';
import { importBalances } from './import-balances.ts';
import { importChart } from './import-chart.ts';

const few = (all: readonly string[]): string =>
  all.length > 5 ? `${all.slice(0, 4).join(', ')} and ${all.length - 4} more` : all.join(', ');
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
    ...posting,
    core: false,
    annotations,
    title: 'Post opening balances',
    description:
      'Posts the opening balances from a CSV file with the columns account (code), debit and credit. The balance of an account in another ' +
      'currency is in that currency: its line needs rate (base units for one) or base (what it is worth in the base currency) too. Only ' +
      'once: to repeat it, reverse its entries first.',
    shows: { schema: booked.omit({ effects: true }), of: ({ entries }) => ({ entries }) },
    say: ({ entries }, preview) => {
      const [date, sums] = [entries[0]?.date, few(entries.map(sumOf))];
      const numbers = few(entries.map(({ number }) => number));
      if (preview) return `Would open the books on ${date} with ${sums}.`;
      return entries.length === 1
        ? `Entry ${numbers} opens the books on ${date} with ${sums}.`
        : `Entries ${numbers} open the books on ${date} with ${sums}.`;
    },
  }),
];
