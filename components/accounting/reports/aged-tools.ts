import { toolOf, type Tool } from '@steward/tools';
import { agedReportWithItems } from './aged-items.ts';

export const agedTools: readonly Tool[] = [
  toolOf(agedReportWithItems, {
    core: true,
    title: 'Aged receivables or payables',
    description:
      'Reports the open amounts of customers (receivable) or suppliers (payable) at the end of a day, by party and days ' +
      'overdue. The total equals the balance of the control account. Unused credits count as negative amounts.',
    say: ({ side, asOf, buckets, total }) =>
      `${total.amount} ${total.currency} ${side} on ${asOf}, ${buckets[0]?.amount} of it not yet due.`,
  }),
];
