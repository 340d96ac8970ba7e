import { readBooks } from '../permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { dayText, moneySchema } from '../money/schema.ts';
import { agedBuckets, agedItemsOf, agedReport, type AgedItem } from './aged.ts';

/** Shown by one call, as it is read by a model. */
const mostItems = 1000;

const bucketsOf = z.array(moneySchema).meta({ description: `In this order: ${agedBuckets.join(', ')} days overdue.` });
const item = z.object({
  id: z.string(),
  kind: z.string(),
  number: z.string(),
  date: z.string(),
  due_date: z.string(),
  days: z.int(),
  open: moneySchema,
  base: moneySchema,
});

const snakeItem = ({ id, kind, number, date, dueDate, days, open, base }: AgedItem): z.infer<typeof item> => ({
  id,
  kind,
  number,
  date,
  due_date: dueDate,
  days,
  open,
  base,
});

export const agedTools: readonly Tool[] = [
  tool({
    pillar: 'accounting',
    area: 'reports',
    kind: 'query',
    tier: 'read',
    core: true,
    surfaces: ['public', 'internal'],
    annotations: { idempotentHint: true },
    requires: readBooks,
    personas: [],
    name: 'service_get_aged_report',
    title: 'Aged receivables or payables',
    description:
      'What customers owe or suppliers are owed at the end of a day, by how long it is overdue, by party and document. ' +
      'Its total is what the control account holds; credits not yet used are below nothing.',
    input: z.strictObject({
      side: z.enum(['receivable', 'payable']),
      as_of: dayText,
      documents: z
        .boolean()
        .default(false)
        .meta({
          description: `Each open document and payment too, not only parties; ${mostItems} at most, so that those of later parties are left out.`,
        }),
      party_id: z.uuid().optional().meta({ description: 'Only this customer or supplier.' }),
    }),
    output: z.object({
      side: z.string(),
      as_of: z.string(),
      buckets: bucketsOf,
      total: moneySchema,
      parties: z.array(
        z.object({
          party_id: z.string(),
          name: z.string(),
          buckets: bucketsOf,
          total: moneySchema,
          count: z.int().meta({ description: 'How many documents and payments are open.' }),
          items: z.array(item),
        }),
      ),
    }),
    run: async (call, { side, as_of, documents, party_id }) => {
      const report = await agedReport(call.context, { side, asOf: as_of, partyId: party_id });
      const { buckets, total, parties } = report;
      const found = documents ? await agedItemsOf(call.context, report, mostItems) : undefined;
      return {
        summary: `${total.amount} ${total.currency} ${side} on ${as_of}, ${buckets[0]?.amount} of it not yet due.`,
        data: {
          side,
          as_of,
          buckets: [...buckets],
          total,
          parties: parties.map(({ partyId, ...rest }) => ({
            ...rest,
            buckets: [...rest.buckets],
            party_id: partyId,
            items: (found?.get(partyId) ?? []).map(snakeItem),
          })),
        },
      };
    },
  }),
];
