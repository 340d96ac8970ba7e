import { isAsItWas } from '@steward/access';
import { counted } from '@steward/kernel';
import { nothingChanges, tool, toolOf, type Tool } from '@steward/tools';
import { writes } from '../operations.ts';
import { recordW9, type TaxFormPorts } from './record-w9.ts';
import { summary1099 } from './summary.ts';

export const taxFormTools: readonly Tool<TaxFormPorts>[] = [
  tool({
    ...writes,
    area: 'reports',
    core: false,
    annotations: { idempotentHint: true },
    name: 'service_set_w9_status',
    title: 'Set the state of a supplier’s W-9',
    description:
      'Sets the status of a supplier’s Form W-9 and the box of its Form 1099. Only a person can enter the taxpayer’s ' +
      'number, never a tool.',
    input: recordW9.input.pick({ partyId: true, status: true, box: true, eligible: true }),
    output: recordW9.answer.pick({ partyId: true, status: true, tinLast4: true, eligible: true, box: true }),
    run: async ({ context, preview }, input, ports: TaxFormPorts) => {
      const recorded = await recordW9(context, input, ports);
      const { partyId, status, tinLast4, eligible, box } = recorded;
      const data = { partyId, status, tinLast4, eligible, box };
      const done = `The W-9 is ${status}; payments are ${eligible ? 'reported' : 'not reported'}.`;
      if (isAsItWas(recorded)) return { ...nothingChanges(done), data };
      const would = `Would mark the W-9 as ${status}, and ${eligible ? '' : 'not '}report payments.`;
      return { summary: preview ? would : done, data };
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
