import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import { listRates } from './list.ts';
import { setRate } from './set.ts';

export const rateTools: readonly Tool[] = [
  toolOf(listRates, {
    core: false,
    title: 'List exchange rates',
    description:
      'What currencies are worth in the base currency, as it was set, the latest day first. A rate holds from its day until a later one.',
    answers: { items: 'rates' },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'exchange rate')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
  toolOf(setRate, {
    core: false,
    annotations: { idempotentHint: true },
    title: 'Set an exchange rate',
    description:
      'What one unit of a currency is worth in the base currency from a day on. Posted entries keep their rate, and days of closed months keep theirs.',
    say: ({ currency, day, rate }, preview) =>
      `${preview ? 'Would set: ' : ''}1 ${currency} is ${rate} from ${day} on.`,
  }),
];
