import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import { listRates } from './list.ts';
import { areAlike, readRate } from './rate.ts';
import { setRate } from './set.ts';

const today = (): string => new Date().toISOString().slice(0, 10);

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
    approval: {
      moneyOut: false,
      // A rule lets the rates of each day in, once: who may set any rate makes debts and values what they like.
      routine: ({ day, rate }, { data }) => {
        const { before } = setRate.answer.parse(data);
        return (
          day === today() && before !== null && before.day < day && areAlike(readRate(before.rate), readRate(rate))
        );
      },
    },
    title: 'Set an exchange rate',
    description:
      'Sets what one unit of a currency is worth in the base currency from a day on. Posted entries and closed months ' +
      'keep their rates. A standing rule covers only the rate of today, once a day, within a twentieth of the one before.',
    say: ({ currency, day, rate, before }, preview) =>
      `${preview ? 'Would set: ' : ''}1 ${currency} is ${rate} from ${day} on${
        before === null ? '' : `; until then ${before.rate}, of ${before.day}`
      }.`,
  }),
];
