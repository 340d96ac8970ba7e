import { z } from 'zod';
import { mostLines } from '../lines.ts';
import { currencyCode, dayText, moneySchema } from '../money/schema.ts';
import { type Document, documentStatuses } from './document.ts';
import type { DocumentInput } from './input.ts';
import { documentKinds } from './kind.ts';

/** What tools take and answer, in their spelling. */
export const draftInput = {
  party_id: z.uuid().meta({ description: 'From service_list_parties or service_create_party.' }),
  issue_date: dayText,
  due_date: dayText
    .optional()
    .meta({ description: 'The terms of the party after the issue date where none is given.' }),
  currency: currencyCode.optional().meta({ description: 'The currency of the party where none is given.' }),
  pricing: z
    .enum(['exclusive', 'inclusive'])
    .default('exclusive')
    .meta({ description: 'Whether unit prices are without tax or with it.' }),
  reference: z.string().max(100).optional(),
  notes: z.string().max(2000).optional(),
  lines: z
    .array(
      z.strictObject({
        description: z.string().trim().min(1).max(1000),
        quantity: z
          .string()
          .max(20)
          .default('1')
          .meta({ description: 'A decimal above zero, up to six digits behind the point.' }),
        unit_price: z
          .string()
          .max(20)
          .meta({ description: 'A decimal, up to six digits behind the point; below zero for what is taken off.' }),
        account: z
          .string()
          .min(1)
          .max(40)
          .meta({ description: 'Code or id of what was sold or bought, from service_list_accounts.' }),
        tax_id: z.uuid().optional().meta({ description: 'From service_list_tax_rates.' }),
      }),
    )
    .min(1)
    .max(mostLines),
};
export const supplierNumber = z
  .string()
  .max(100)
  .optional()
  .meta({ description: 'The number on the paper of the supplier; each comes once.' });
export const creditedId = z.uuid().optional().meta({ description: 'The document that a credit takes back.' });

type Draft = z.infer<z.ZodObject<typeof draftInput>> & {
  readonly supplier_number?: string | undefined;
  readonly credits?: string | undefined;
};

export const camelDraft = (input: Draft): DocumentInput => ({
  partyId: input.party_id,
  issueDate: input.issue_date,
  dueDate: input.due_date,
  currency: input.currency,
  pricing: input.pricing,
  supplierNumber: input.supplier_number,
  reference: input.reference,
  notes: input.notes,
  credits: input.credits,
  lines: input.lines.map(({ unit_price, tax_id, ...line }) => ({ ...line, unitPrice: unit_price, taxId: tax_id })),
});

const line = z.object({
  description: z.string(),
  quantity: z.string(),
  unit_price: z.string(),
  account_id: z.string(),
  tax_id: z.string().nullable(),
  percentage: z.string().nullable(),
  net: moneySchema,
  tax: moneySchema,
});
export const documentSchema = z.object({
  id: z.string(),
  kind: z.enum(documentKinds),
  status: z.enum(documentStatuses),
  version: z.int(),
  number: z.string().nullable(),
  party_id: z.string(),
  party_name: z.string(),
  currency: z.string(),
  issue_date: z.string(),
  due_date: z.string(),
  pricing: z.enum(['exclusive', 'inclusive']),
  supplier_number: z.string().nullable(),
  reference: z.string().nullable(),
  notes: z.string().nullable(),
  credits: z.string().nullable(),
  lines: z.array(line),
  taxes: z.array(
    z.object({ tax_id: z.string(), name: z.string(), percentage: z.string(), net: moneySchema, tax: moneySchema }),
  ),
  net: moneySchema,
  tax: moneySchema,
  total: moneySchema,
  open: moneySchema.nullable(),
  base_total: moneySchema.nullable(),
  rate: z.string().nullable(),
  entry_id: z.string().nullable(),
});

export const snakeDocument = (document: Document): z.infer<typeof documentSchema> => ({
  id: document.id,
  kind: document.kind,
  status: document.status,
  version: document.version,
  number: document.number,
  party_id: document.partyId,
  party_name: document.partyName,
  currency: document.currency,
  issue_date: document.issueDate,
  due_date: document.dueDate,
  pricing: document.pricing,
  supplier_number: document.supplierNumber,
  reference: document.reference,
  notes: document.notes,
  credits: document.credits,
  lines: document.lines.map(({ unitPrice, accountId, taxId, ...rest }) => ({
    ...rest,
    unit_price: unitPrice,
    account_id: accountId,
    tax_id: taxId,
  })),
  taxes: document.taxes.map(({ taxId, ...rest }) => ({ ...rest, tax_id: taxId })),
  net: document.net,
  tax: document.tax,
  total: document.total,
  open: document.open,
  base_total: document.baseTotal,
  rate: document.rate,
  entry_id: document.entryId,
});
