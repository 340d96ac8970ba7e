import type { Grammar } from '@steward/audit';
import { z } from 'zod';

const day = z.iso.date();
const entry = z.strictObject({
  entry_id: z.uuid(),
  number: z.string(),
  posting_date: day,
  kind: z.string(),
  amount: z.string(),
  currency: z.string(),
  source_id: z.uuid().optional(),
  reverses: z.uuid().optional(),
});
const schemaOf = (schema: z.ZodType): Record<string, unknown> => z.toJSONSchema(schema) as Record<string, unknown>;

/** Payloads of accounting's own events, version 1. */
export const accountingGrammar: Grammar = {
  name: 'accounting',
  events: [
    {
      types: 'accounting.books.opened',
      major: 1,
      schema: z.toJSONSchema(
        z.strictObject({
          template: z.string(),
          base_currency: z.string(),
          fiscal_year_start_month: z.int(),
          accounts: z.int(),
        }),
      ) as Record<string, unknown>,
    },
    { types: 'accounting.entry.posted', major: 1, schema: schemaOf(entry) },
    {
      types: 'accounting.rate.set',
      major: 1,
      schema: schemaOf(z.strictObject({ currency: z.string(), day, rate: z.string() })),
    },
    { types: 'accounting.period.closed', major: 1, schema: schemaOf(z.strictObject({ month: day })) },
    {
      types: 'accounting.period.reopened',
      major: 1,
      schema: schemaOf(z.strictObject({ month: day, reason: z.string() })),
    },
    {
      types: 'accounting.year.closed',
      major: 1,
      schema: schemaOf(z.strictObject({ first_month: day, last_month: day, entries: z.array(z.uuid()) })),
    },
  ],
};
