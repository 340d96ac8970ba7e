import { operation } from '@steward/access';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { agedItem, agedItemsOf, agedParty, agedReport } from './aged.ts';

/** Shown by one call, as it is read by a model. */
const mostItems = 1000;

/** The aged report and, if they are asked for, what is open of each party. @throws Problem `not_found` (404) for the party */
export const agedReportWithItems = operation(
  {
    ...reads,
    area: 'reports',
    name: 'service_get_aged_report',
    input: agedReport.input.extend({
      documents: z
        .boolean()
        .default(false)
        .meta({
          description: `true: also lists each open document and payment, ${mostItems} at most. Those of later parties are left out.`,
        }),
    }),
    answer: agedReport.answer
      .omit({ currency: true })
      .extend({ parties: z.array(agedParty.extend({ items: z.array(agedItem) })) }),
    errors: ['not_found'],
  },
  async ({ context }, { documents, ...wish }) => {
    const report = await agedReport(context, wish);
    const found = documents ? await agedItemsOf(context, report, mostItems) : undefined;
    const parties = report.parties.map((one) => ({ ...one, items: found?.get(one.partyId) ?? [] }));
    return { ...report, parties };
  },
);
