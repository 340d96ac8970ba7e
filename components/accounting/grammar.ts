import type { Grammar } from '@steward/audit';
import { z } from 'zod';

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
  ],
};
