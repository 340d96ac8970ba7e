import type { Fixed } from '@steward/contract';
import { versionNumber } from '@steward/contract';
import { z } from 'zod';
import { mostLines } from '../lines.ts';
import { currencyCode, dayText } from '../money/schema.ts';
import type { DocumentKind } from './kind.ts';
import { pricing } from './totals.ts';

export const documentId = z.uuid().meta({ description: 'From service_list_documents.' });
export const seenVersion = versionNumber
  .optional()
  .meta({ description: 'Version that you read. Fails if it was changed since.' });
export const supplierNumber = z
  .string()
  .max(100)
  .optional()
  .meta({ description: 'The supplier’s own number. No other document of the supplier may have it.' });

export const draftLine = z.strictObject({
  description: z.string().trim().min(1).max(1000).meta({ description: 'As the document shows it.' }),
  quantity: z.string().max(20).default('1').meta({ description: 'Above zero, up to six digits after the point.' }),
  unitPrice: z.string().max(20).meta({
    description: 'A decimal, such as "19.90", up to six digits after the point; negative for a discount.',
  }),
  account: z
    .string()
    .min(1)
    .max(40)
    .meta({ description: 'Code or id from service_list_accounts, of income or expense.' }),
  taxId: z.uuid().optional().meta({ description: 'From service_list_tax_rates.' }),
});
export type DocumentLineInput = Fixed<z.output<typeof draftLine>>;

/** The contents of a draft; changing a draft replaces all of it. A caller's idempotency key binds the members in this order. */
export const draft = z.strictObject({
  partyId: z.uuid().meta({ description: 'From service_list_parties.' }),
  issueDate: dayText.meta({ description: 'YYYY-MM-DD. It is posted on this day.' }),
  dueDate: dayText.optional().meta({ description: 'Default: the issue date plus the terms of the party.' }),
  currency: currencyCode.optional().meta({ description: 'Default: the currency of the party.' }),
  pricing: pricing
    .optional()
    .meta({ default: 'exclusive', description: 'exclusive: unit prices without tax; inclusive: with tax.' }),
  supplierNumber,
  reference: z.string().max(100).optional().meta({ description: 'Such as an order number of the party.' }),
  notes: z.string().max(2000).optional().meta({ description: 'Shown on the document.' }),
  credits: z.uuid().optional().meta({ description: 'Of a credit: what it credits.' }),
  lines: z.array(draftLine).min(1).max(mostLines).meta({ description: 'What it charges, in order.' }),
});
export type DocumentInput = Fixed<z.output<typeof draft>>;

export interface NewDocument extends DocumentInput {
  readonly kind: DocumentKind;
  /** The same key and content again answers with the document that was made. */
  readonly idempotencyKey?: string | undefined;
}
