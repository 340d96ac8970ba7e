import { counted } from '@steward/kernel';
import { keepBooks, readBooks } from '../permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { archiveTax } from './archive.ts';
import { createTax } from './create.ts';
import { listTaxes } from './list.ts';
import type { Tax } from './tax.ts';

const ground = {
  pillar: 'accounting',
  area: 'sales',
  core: false,
  surfaces: ['public', 'internal'],
  personas: [],
} as const;
const writes = {
  ...ground,
  kind: 'command',
  tier: 'write',
  annotations: { destructiveHint: false },
  requires: keepBooks,
} as const;

const tax = z.object({
  id: z.string(),
  name: z.string(),
  percentage: z.string(),
  sales_account_id: z.string(),
  purchase_account_id: z.string().nullable(),
  archived: z.boolean(),
});
const snake = ({ salesAccountId, purchaseAccountId, ...rest }: Tax): z.infer<typeof tax> => ({
  ...rest,
  sales_account_id: salesAccountId,
  purchase_account_id: purchaseAccountId,
});
const account = z.string().min(1).max(40).optional();
const answer = (found: Tax, preview?: string) => ({
  summary: `${preview === undefined ? '' : `Would ${preview} `}${found.name}, ${found.percentage} %.`,
  data: { tax_rate: snake(found) },
});

export const taxTools: readonly Tool[] = [
  tool({
    ...writes,
    name: 'service_create_tax_rate',
    title: 'Add a tax rate',
    description:
      'Adds a tax rate for lines of documents. A percentage never changes: add another rate and archive the old one.',
    input: z.strictObject({
      name: z.string().trim().min(1).max(100),
      percentage: z.string().max(8).meta({ description: 'From 0 to 100, up to four digits behind the point.' }),
      sales_account: account.meta({ description: 'Code or id; the one for tax payable where none is given.' }),
      purchase_account: account.meta({
        description: 'Code or id; the one for tax recoverable where the books have it.',
      }),
    }),
    output: z.object({ tax_rate: tax }),
    run: async (call, { sales_account, purchase_account, ...rest }) =>
      answer(
        await createTax(call.context, { ...rest, salesAccount: sales_account, purchaseAccount: purchase_account }),
        call.preview ? 'add' : undefined,
      ),
  }),
  tool({
    ...writes,
    name: 'service_archive_tax_rate',
    title: 'Archive a tax rate',
    description: 'Takes a tax rate out of use. Documents that carry it keep it.',
    input: z.strictObject({ tax_id: z.uuid() }),
    output: z.object({ tax_rate: tax }),
    run: async (call, { tax_id }) =>
      answer(await archiveTax(call.context, tax_id), call.preview ? 'archive' : undefined),
  }),
  tool({
    ...ground,
    kind: 'query',
    tier: 'read',
    annotations: { idempotentHint: true },
    requires: readBooks,
    name: 'service_list_tax_rates',
    title: 'List tax rates',
    description: 'Lists tax rates by name.',
    input: z.strictObject({ archived: z.boolean().default(false).meta({ description: 'Archived ones too.' }) }),
    output: z.object({ tax_rates: z.array(tax) }),
    run: async (call, { archived }) => {
      const found = await listTaxes(call.context, archived);
      return { summary: `${counted(found.length, 'tax rate')}.`, data: { tax_rates: found.map(snake) } };
    },
  }),
];
