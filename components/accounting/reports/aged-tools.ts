import { tool, type Tool } from '@steward/tools';
import { roles } from '@steward/kernel';
import { z } from 'zod';
import { dayText, moneySchema } from '../money/schema.ts';
import { agedBuckets, agedReport, type AgedItem } from './aged.ts';

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
    requires: { roles, entitlement: 'read' },
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
        .meta({ description: 'Each open document and payment too, not only parties.' }),
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
          items: z.array(item),
        }),
      ),
    }),
    run: async (call, { side, as_of, documents }) => {
      const { buckets, total, parties } = await agedReport(call.context, { side, asOf: as_of });
      return {
        summary: `${total.amount} ${total.currency} ${side} on ${as_of}, ${buckets[0]?.amount} of it not yet due.`,
        data: {
          side,
          as_of,
          buckets: [...buckets],
          total,
          parties: parties.map(({ partyId, items, ...rest }) => ({
            ...rest,
            buckets: [...rest.buckets],
            party_id: partyId,
            items: documents ? items.map(snakeItem) : [],
          })),
        },
      };
    },
  }),
];
