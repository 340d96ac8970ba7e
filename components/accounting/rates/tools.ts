import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { currencyCode, dayText, rateText } from '../money/schema.ts';
import { setRate } from './set.ts';

const rate = z.strictObject({ currency: currencyCode, day: dayText, rate: rateText });

export const rateTools: readonly Tool[] = [
  tool({
    pillar: 'accounting',
    kind: 'command',
    tier: 'write',
    core: false,
    surfaces: ['public', 'internal'],
    annotations: { idempotentHint: true },
    requires: { roles: ['owner', 'admin', 'accountant'], entitlement: 'write' },
    personas: [],
    name: 'service_set_exchange_rate',
    title: 'Set an exchange rate',
    description:
      'What one unit of a currency is worth in the base currency from a day on. Posted entries keep their rate.',
    input: rate,
    output: rate,
    run: async (call, input) => {
      const data = await setRate(call.context, input);
      return { summary: `1 ${data.currency} is ${data.rate} from ${data.day} on.`, data };
    },
  }),
];
