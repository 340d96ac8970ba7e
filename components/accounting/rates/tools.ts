import { pageLimit } from '@steward/contract';
import { counted } from '@steward/kernel';
import { keepBooks, readBooks } from '../permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { currencyCode, dayText, rateText } from '../money/schema.ts';
import { listRates } from './list.ts';
import { setRate } from './set.ts';

const rate = z.strictObject({ currency: currencyCode, day: dayText, rate: rateText });
const ground = {
  pillar: 'accounting',
  area: 'books',
  core: false,
  surfaces: ['public', 'internal'],
  annotations: { idempotentHint: true },
  personas: [],
} as const;

export const rateTools: readonly Tool[] = [
  tool({
    ...ground,
    kind: 'query',
    tier: 'read',
    requires: readBooks,
    name: 'service_list_exchange_rates',
    title: 'List exchange rates',
    description:
      'What currencies are worth in the base currency, as it was set, the latest day first. A rate holds from its day until a later one.',
    input: z.strictObject({
      currency: currencyCode.optional(),
      to: dayText.optional().meta({ description: 'Only rates of this day or before, YYYY-MM-DD.' }),
      limit: pageLimit,
      cursor: z
        .string()
        .regex(/^\d{4}-\d{2}-\d{2}\.[A-Z]{3}$/)
        .refine((text) => dayText.safeParse(text.slice(0, 10)).success)
        .optional()
        .meta({ description: '`next_cursor` of the page before.' }),
    }),
    output: z.object({ rates: z.array(rate), next_cursor: z.string().nullable() }),
    run: async (call, { limit, cursor, ...filter }) => {
      const { items, nextCursor } = await listRates(call.context, filter, { limit, cursor });
      return {
        summary: `${counted(items.length, 'exchange rate')}.${nextCursor === null ? '' : ' There are more.'}`,
        data: { rates: items, next_cursor: nextCursor },
      };
    },
  }),
  tool({
    ...ground,
    kind: 'command',
    tier: 'write',
    requires: keepBooks,
    name: 'service_set_exchange_rate',
    title: 'Set an exchange rate',
    description:
      'What one unit of a currency is worth in the base currency from a day on. Posted entries keep their rate, and days of closed months keep theirs.',
    input: rate,
    output: rate,
    run: async (call, input) => {
      const data = await setRate(call.context, input);
      const would = call.preview ? 'Would set: ' : '';
      return { summary: `${would}1 ${data.currency} is ${data.rate} from ${data.day} on.`, data };
    },
  }),
];
