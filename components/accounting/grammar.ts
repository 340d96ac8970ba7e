import type { EventGrammar, Grammar } from '@steward/audit';
import { z } from 'zod';
import { documentKinds } from './documents/kind.ts';

const day = z.iso.date();
/** SHA-256, base64url, of what the event does not say in words. */
const content = z.string().length(43).optional();
const entry = z.strictObject({
  entry_id: z.uuid(),
  number: z.string(),
  posting_date: day,
  kind: z.string(),
  amount: z.string(),
  currency: z.string(),
  source_id: z.uuid().optional(),
  reverses: z.uuid().optional(),
  content_sha256: content,
});
const id = z.uuid();
const documentFacts = {
  document_id: z.uuid(),
  kind: z.enum(documentKinds),
  party_id: z.uuid(),
  amount: z.string(),
  currency: z.string(),
};
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
    lines_sha256: content,
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
    content_sha256: content,
  }),
  event('accounting.reconciliation.undone', { reconciliation_id: id, account_id: id, to: day, reason: z.string() }),
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
          chart_sha256: content,
        }),
      ) as Record<string, unknown>,
    },
    { types: 'accounting.entry.posted', major: 1, schema: schemaOf(entry) },
    {
      types: 'accounting.rate.set',
      major: 1,
      schema: schemaOf(z.strictObject({ currency: z.string(), day, rate: z.string() })),
    },
    event('accounting.chart.imported', { added: z.int(), renamed: z.int(), chart_sha256: content }),
    event('accounting.w9.recorded', {
      party_id: id,
      status: z.string(),
      eligible: z.boolean(),
      box: z.string(),
      tin_changed: z.boolean(),
    }),
    event('accounting.tin.revealed', { party_id: id }),
    event('accounting.file.attached', {
      attachment_id: id,
      target_kind: z.string(),
      target_id: id,
      sha256: z.string(),
      bytes: z.int(),
    }),
    event('accounting.file.removed', { attachment_id: id }),
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
    {
      types: 'accounting.party.created',
      major: 1,
      schema: schemaOf(
        z.strictObject({
          party_id: z.uuid(),
          customer: z.boolean(),
          supplier: z.boolean(),
          currency: z.string(),
          content_sha256: content,
        }),
      ),
    },
    {
      types: 'accounting.party.updated',
      major: 1,
      schema: schemaOf(
        z.strictObject({
          party_id: z.uuid(),
          fields: z.array(z.string()),
          archived: z.boolean(),
          content_sha256: content,
        }),
      ),
    },
    {
      types: 'accounting.party.erased',
      major: 1,
      schema: schemaOf(
        z.strictObject({ party_id: z.uuid(), name_kept: z.boolean(), reason: z.string(), content_sha256: content }),
      ),
    },
    {
      types: 'accounting.tax.created',
      major: 1,
      schema: schemaOf(z.strictObject({ tax_id: z.uuid(), percentage: z.string(), content_sha256: content })),
    },
    { types: 'accounting.tax.archived', major: 1, schema: schemaOf(z.strictObject({ tax_id: z.uuid() })) },
    { types: 'accounting.document.drafted', major: 1, schema: schemaOf(z.strictObject(documentFacts)) },
    {
      types: 'accounting.document.changed',
      major: 1,
      schema: schemaOf(z.strictObject({ ...documentFacts, version: z.int() })),
    },
    {
      types: 'accounting.document.issued',
      major: 1,
      schema: schemaOf(
        z.strictObject({ ...documentFacts, number: z.string(), entry_id: z.uuid(), content_sha256: content }),
      ),
    },
    {
      types: 'accounting.document.voided',
      major: 1,
      schema: schemaOf(
        z.strictObject({ document_id: z.uuid(), kind: z.enum(documentKinds), entries: z.array(z.uuid()) }),
      ),
    },
    {
      types: 'accounting.document.erased',
      major: 1,
      schema: schemaOf(z.strictObject({ document_ids: z.array(z.uuid()), reason: z.string() })),
    },
    {
      types: 'accounting.payment.recorded',
      major: 1,
      schema: schemaOf(
        z.strictObject({
          payment_id: z.uuid(),
          number: z.string(),
          direction: z.enum(['received', 'made']),
          party_id: z.uuid(),
          account_id: z.uuid(),
          amount: z.string(),
          currency: z.string(),
          entry_id: z.uuid(),
          allocations: z.array(z.uuid()),
          content_sha256: content,
        }),
      ),
    },
    {
      types: 'accounting.payment.voided',
      major: 1,
      schema: schemaOf(z.strictObject({ payment_id: z.uuid(), entry_id: z.uuid() })),
    },
    {
      types: 'accounting.allocation.made',
      major: 1,
      schema: schemaOf(
        z.strictObject({
          allocation_id: z.uuid(),
          credit_id: z.uuid(),
          charge_id: z.uuid(),
          date: day,
          amount: z.string(),
          currency: z.string(),
          entry_id: z.uuid().optional(),
          content_sha256: content,
        }),
      ),
    },
    {
      types: 'accounting.allocation.undone',
      major: 1,
      schema: schemaOf(z.strictObject({ allocation_id: z.uuid(), date: day, entry_id: z.uuid().optional() })),
    },
    {
      types: 'accounting.items.revalued',
      major: 1,
      schema: schemaOf(
        z.strictObject({
          revaluation_id: z.uuid(),
          day,
          entry_id: z.uuid(),
          mirror_id: z.uuid(),
          items: z.int(),
          content_sha256: content,
        }),
      ),
    },
  ],
};
