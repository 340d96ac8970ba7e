import type { EventGrammar, Grammar } from '@steward/audit';
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
const id = z.uuid();
const schemaOf = (schema: z.ZodType): Record<string, unknown> => z.toJSONSchema(schema) as Record<string, unknown>;

const event = (types: string, shape: z.core.$ZodLooseShape): EventGrammar => ({
  types,
  major: 1,
  schema: schemaOf(z.strictObject(shape)),
});

const bankEvents = [
  event('accounting.statement.imported', {
    statement_id: id,
    account_id: id,
    format: z.string(),
    content_sha256: z.string(),
    lines: z.int(),
  }),
  event('accounting.line.matched', {
    match_id: id,
    line_id: id,
    entry_id: id,
    amount: z.string(),
    currency: z.string(),
  }),
  event('accounting.line.unmatched', { match_id: id, line_id: id }),
  event('accounting.rule.added', { rule_id: id, account_id: id, direction: z.string() }),
  event('accounting.rule.archived', { rule_id: id }),
  event('accounting.account.reconciled', {
    reconciliation_id: id,
    account_id: id,
    to: day,
    closing: z.string(),
    currency: z.string(),
  }),
];

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
    event('accounting.chart.imported', { added: z.int(), renamed: z.int() }),
    ...bankEvents,
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
