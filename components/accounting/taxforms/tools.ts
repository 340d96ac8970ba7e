import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import { listFilings } from './list-filings.ts';
import { recordW9, type TaxFormPorts } from './record-w9.ts';
import { summary1099 } from './summary.ts';

export const taxFormTools: readonly Tool<TaxFormPorts>[] = [
  toolOf(recordW9, {
    core: false,
    annotations: { idempotentHint: true },
    title: 'Set the state of a supplier’s W-9',
    description:
      'Sets the status of a supplier’s Form W-9 and the box of its Form 1099. Only a person can enter the taxpayer’s ' +
      'number, never a tool.',
    asks: {
      schema: recordW9.input.pick({ partyId: true, status: true, box: true, eligible: true }),
      of: (args) => args,
    },
    shows: {
      schema: recordW9.answer.pick({ partyId: true, status: true, tinLast4: true, eligible: true, box: true }),
      of: ({ partyId, status, tinLast4, eligible, box }) => ({ partyId, status, tinLast4, eligible, box }),
    },
    say: ({ partyName, status, eligible }, preview) =>
      preview
        ? `Would mark the W-9 of ${partyName} as ${status}, and ${eligible ? '' : 'not '}report payments.`
        : `The W-9 of ${partyName} is ${status}; payments are ${eligible ? 'reported' : 'not reported'}.`,
  }),
  toolOf(listFilings, {
    core: false,
    rare: true,
    title: 'List filings of Forms 1099',
    description:
      'Lists the Forms 1099 that a connected provider files, each with how far it came: created, transmitted, accepted or ' +
      'rejected by the tax authority. A rejected form has to be mended and filed again at the provider.',
    answers: { items: 'filings' },
    say: ({ items, nextCursor }) => {
      const rejected = items.filter(({ status }) => status === 'rejected').length;
      return `${counted(items.length, 'filing')}${rejected === 0 ? '' : `, ${rejected} rejected`}.${nextCursor === null ? '' : ' There are more.'}`;
    },
  }),
  toolOf(summary1099, {
    core: false,
    title: 'Summary of Forms 1099',
    description:
      'Reports the amounts for Forms 1099-NEC and 1099-MISC of a calendar year by supplier, and the data that is missing ' +
      'to file them. Payments by card or network are left out.',
    say: ({ year, suppliers }) => {
      const due = suppliers.filter(({ reportable }) => reportable);
      const lacking = due.filter(({ missing }) => missing.length > 0).length;
      return `${counted(due.length, 'supplier is', 'suppliers are')} reported for ${year}; ${counted(lacking, 'lacks', 'lack')} something.`;
    },
  }),
];
