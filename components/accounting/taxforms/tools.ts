import { counted } from '@steward/kernel';
import { keepBooks, readTaxForms } from '../permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { moneySchema } from '../money/schema.ts';
import { boxes } from './box.ts';
import { recordW9 } from './record-w9.ts';
import { summary1099 } from './summary.ts';
import { w9Statuses } from './taxpayer.ts';

const ground = {
  pillar: 'accounting',
  area: 'reports',
  core: false,
  surfaces: ['public', 'internal'],
  personas: [],
} as const;

export interface TaxFormPorts {
  /** Seals taxpayers' numbers. */
  readonly secret: Uint8Array;
}

export const taxFormTools: readonly Tool<TaxFormPorts>[] = [
  tool({
    ...ground,
    kind: 'command',
    tier: 'write',
    annotations: { idempotentHint: true },
    requires: keepBooks,
    name: 'service_set_w9_status',
    title: 'Set the state of a supplier’s W-9',
    description:
      'Marks a Form W-9 as requested, received, matched, failed or expired, and chooses the box of Form 1099. The ' +
      'taxpayer’s number itself is entered by a person, never through a tool.',
    input: z.strictObject({
      party_id: z.uuid(),
      status: z.enum(w9Statuses),
      box: z.enum(boxes).optional(),
      eligible: z.boolean().optional().meta({ description: 'Whether payments to them are reported at all.' }),
    }),
    output: z.object({
      party_id: z.string(),
      status: z.enum(w9Statuses),
      tin_last4: z.string().nullable(),
      eligible: z.boolean(),
      box: z.enum(boxes),
    }),
    run: async (call, { party_id, ...rest }, { secret }) => {
      const { status, tinLast4, eligible, box } = await recordW9(call.context, secret, { partyId: party_id, ...rest });
      return {
        summary: call.preview
          ? `Would note the W-9 as ${status}, and ${eligible ? '' : 'not '}report payments.`
          : `The W-9 is ${status}; payments are ${eligible ? 'reported' : 'not reported'}.`,
        data: { party_id, status, tin_last4: tinLast4, eligible, box },
      };
    },
  }),
  tool({
    ...ground,
    kind: 'query',
    tier: 'read',
    annotations: { idempotentHint: true },
    requires: readTaxForms,
    name: 'service_get_1099_summary',
    title: 'Summary of Forms 1099',
    description:
      'What the Forms 1099-NEC and 1099-MISC of a calendar year would say, by supplier, with what is missing to file ' +
      'them. Payments by card or network are left out.',
    input: z.strictObject({ year: z.int().min(2000).max(2100) }),
    output: z.object({
      year: z.int(),
      suppliers: z.array(
        z.object({
          party_id: z.string(),
          name: z.string(),
          box: z.enum(boxes),
          title: z.string(),
          paid: moneySchema,
          excluded: moneySchema,
          threshold: moneySchema,
          reportable: z.boolean(),
          w9: z.enum(w9Statuses).nullable(),
          tin_last4: z.string().nullable(),
          missing: z.array(z.string()),
        }),
      ),
    }),
    run: async (call, { year }) => {
      const rows = await summary1099(call.context, year);
      const due = rows.filter(({ reportable }) => reportable);
      const lacking = due.filter(({ missing }) => missing.length > 0).length;
      return {
        summary: `${counted(due.length, 'supplier is', 'suppliers are')} reported for ${year}; ${counted(lacking, 'lacks', 'lack')} something.`,
        data: {
          year,
          suppliers: rows.map(({ partyId, tinLast4, ...rest }) => ({
            ...rest,
            party_id: partyId,
            tin_last4: tinLast4,
            missing: [...rest.missing],
          })),
        },
      };
    },
  }),
];
