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
  .meta({ description: 'The one you have seen: refused if it was changed since.' });
export const supplierNumber = z
  .string()
  .max(100)
  .optional()
  .meta({ description: 'The number on the paper of the supplier; each comes once.' });

export const draftLine = z.strictObject({
  description: z.string().trim().min(1).max(1000),
  quantity: z
    .string()
    .max(20)
    .default('1')
    .meta({ description: 'A decimal above zero, up to six digits behind the point.' }),
  unitPrice: z
    .string()
    .max(20)
    .meta({ description: 'A decimal, up to six digits behind the point; below zero for what is taken off.' }),
  account: z
    .string()
    .min(1)
    .max(40)
    .meta({ description: 'Code or id of what was sold or bought, from service_list_accounts.' }),
  taxId: z.uuid().optional().meta({ description: 'From service_list_tax_rates.' }),
});
export type DocumentLineInput = Fixed<z.output<typeof draftLine>>;

/** What a draft says; a changed draft says all of it anew. A key of a caller's binds its members in this order. */
export const draft = z.strictObject({
  partyId: z.uuid().meta({ description: 'From service_list_parties or service_create_party.' }),
  issueDate: dayText,
  dueDate: dayText.optional().meta({ description: 'The terms of the party after the issue date where none is given.' }),
  currency: currencyCode.optional().meta({ description: 'The currency of the party where none is given.' }),
  pricing: pricing
    .optional()
    .meta({ default: 'exclusive', description: 'Whether unit prices are without tax or with it.' }),
  supplierNumber,
  reference: z.string().max(100).optional(),
  notes: z.string().max(2000).optional(),
  credits: z.uuid().optional().meta({ description: 'The document that a credit takes back.' }),
  lines: z.array(draftLine).min(1).max(mostLines),
});
export type DocumentInput = Fixed<z.output<typeof draft>>;

export interface NewDocument extends DocumentInput {
  readonly kind: DocumentKind;
  /** The same key and content again answers with the document that was made. */
  readonly idempotencyKey?: string | undefined;
}
