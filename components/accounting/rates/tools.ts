import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import { listRates } from './list.ts';
import { setRate } from './set.ts';

export const rateTools: readonly Tool[] = [
  toolOf(listRates, {
    core: false,
    title: 'List exchange rates',
    description:
      'Lists the exchange rates that were set: units of the base currency for one unit of a currency, the latest day ' +
      'first. A rate applies from its day until the day of the next rate.',
    answers: { items: 'rates' },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'exchange rate')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
  toolOf(setRate, {
    core: false,
    annotations: { idempotentHint: true },
    title: 'Set an exchange rate',
    description:
      'Sets what one unit of a currency is worth in the base currency from a day on. Posted entries and closed months ' +
      'keep their rates.',
    say: ({ currency, day, rate }, preview) =>
      `${preview ? 'Would set: ' : ''}1 ${currency} is ${rate} from ${day} on.`,
  }),
];
