import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { agedItem, agedItemsOf, agedParty, agedReport } from './aged.ts';

/** Shown by one call, as it is read by a model. */
const mostItems = 1000;

export const agedTools: readonly Tool[] = [
  tool({
    ...reads,
    area: 'reports',
    name: 'service_get_aged_report',
    core: true,
    annotations: {},
    title: 'Aged receivables or payables',
    description:
      'Reports the open amounts of customers (receivable) or suppliers (payable) at the end of a day, by party and days ' +
      'overdue. The total equals the balance of the control account. Unused credits count as negative amounts.',
    input: agedReport.input.extend({
      documents: z
        .boolean()
        .default(false)
        .meta({
          description: `true: also lists each open document and payment, ${mostItems} at most. Those of later parties are left out.`,
        }),
    }),
    output: agedReport.answer
      .omit({ currency: true })
      .extend({ side: z.string(), parties: z.array(agedParty.extend({ items: z.array(agedItem) })) }),
    run: async ({ context }, { documents, ...wish }) => {
      const report = await agedReport(context, wish);
      const { side, asOf, buckets, total, parties } = report;
      const found = documents ? await agedItemsOf(context, report, mostItems) : undefined;
      return {
        summary: `${total.amount} ${total.currency} ${side} on ${asOf}, ${buckets[0]?.amount} of it not yet due.`,
        data: { ...report, parties: parties.map((one) => ({ ...one, items: found?.get(one.partyId) ?? [] })) },
      };
    },
  }),
];
