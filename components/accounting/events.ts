import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';
import { documentKinds } from './documents/kind.ts';

const id = z.uuid();
const day = z.iso.date();
const text = z.string();
/** SHA-256, base64url, of what the event does not say in words. */
const digest = z.string().length(43).optional();
const content = { content_sha256: digest };
const kind = z.enum(documentKinds);
const documentFacts = { document_id: id, kind, party_id: id, amount: text, currency: text };

// Published events equal the recorded ones without the digest, which is of no use to consumers.
const entry = {
  entry_id: id,
  number: text,
  posting_date: day,
  kind: text,
  amount: text,
  currency: text,
  source_id: id.optional(),
  reverses: id.optional(),
};
const issued = { ...documentFacts, number: text, entry_id: id };
const voided = { document_id: id, kind, entries: z.array(id) };
const payment = {
  payment_id: id,
  number: text,
  direction: z.enum(['received', 'made']),
  party_id: id,
  account_id: id,
  amount: text,
  currency: text,
  entry_id: id,
  allocations: z.array(id),
};
const voidedPayment = { payment_id: id, entry_id: id };
const allocation = {
  allocation_id: id,
  credit_id: id,
  charge_id: id,
  date: day,
  amount: text,
  currency: text,
  entry_id: id.optional(),
};
const undone = { allocation_id: id, date: day, entry_id: id.optional() };

export const { grammar, published, event, announcement } = defineEvents('accounting', {
  recorded: {
    'accounting.books.opened': payload({
      template: text,
      base_currency: text,
      fiscal_year_start_month: z.int(),
      accounts: z.int(),
      chart_sha256: digest,
    }),
    'accounting.entry.posted': payload({ ...entry, ...content }),
    'accounting.rate.set': payload({ currency: text, day, rate: text }),
    'accounting.chart.imported': payload({ added: z.int(), renamed: z.int(), chart_sha256: digest }),
    'accounting.w9.recorded': payload({
      party_id: id,
      status: text,
      eligible: z.boolean(),
      box: text,
      tin_changed: z.boolean(),
      ...content,
    }),
    'accounting.tin.revealed': payload({ party_id: id }),
    'accounting.file.attached': payload({
      attachment_id: id,
      target_kind: text,
      target_id: id,
      sha256: text,
      bytes: z.int(),
      ...content,
    }),
    'accounting.file.removed': payload({ attachment_id: id }),
    'accounting.statement.imported': payload({
      statement_id: id,
      account_id: id,
      format: text,
      content_sha256: text,
      lines: z.int(),
      lines_sha256: digest,
    }),
    'accounting.line.matched': payload({ match_id: id, line_id: id, entry_id: id, amount: text, currency: text }),
    'accounting.line.unmatched': payload({ match_id: id, line_id: id }),
    'accounting.line.withdrawn': payload({ line_id: id, statement_id: id }),
    'accounting.feed.opened': payload({
      feed_id: id,
      connection_id: id,
      provider: text,
      kind: z.enum(['clearing', 'bank']),
      currency: text,
      account_id: id.optional(),
    }),
    'accounting.feed.assigned': payload({ feed_id: id, account_id: id }),
    'accounting.payout.changed': payload({
      feed_id: id,
      payout_id: text,
      day,
      amount: text,
      currency: text,
      status: text,
      itemized: z.boolean(),
      complete: z.boolean(),
    }),
    'accounting.bank_connection.changed': payload({
      connection_id: id,
      state: text,
      fault: text.optional(),
    }),
    'accounting.tax_filing.changed': payload({
      filing_id: id,
      connection_id: id,
      form: text,
      tax_year: z.int().optional(),
      party_id: id.optional(),
      status: text,
    }),
    'accounting.rule.added': payload({ rule_id: id, account_id: id, direction: text }),
    'accounting.rule.archived': payload({ rule_id: id }),
    'accounting.account.reconciled': payload({
      reconciliation_id: id,
      account_id: id,
      to: day,
      closing: text,
      currency: text,
      ...content,
    }),
    'accounting.reconciliation.undone': payload({ reconciliation_id: id, account_id: id, to: day, reason: text }),
    'accounting.period.closed': payload({ month: day }),
    'accounting.period.reopened': payload({ month: day, reason: text }),
    'accounting.year.closed': payload({ first_month: day, last_month: day, entries: z.array(id) }),
    'accounting.party.created': payload({
      party_id: id,
      customer: z.boolean(),
      supplier: z.boolean(),
      currency: text,
      ...content,
    }),
    'accounting.party.updated': payload({ party_id: id, fields: z.array(text), archived: z.boolean(), ...content }),
    'accounting.party.erased': payload({ party_id: id, name_kept: z.boolean(), reason: text, ...content }),
    'accounting.seller.updated': payload({ fields: z.array(text), ...content }),
    'accounting.tax.created': payload({ tax_id: id, percentage: text, ...content }),
    'accounting.tax.archived': payload({ tax_id: id }),
    'accounting.document.drafted': payload(documentFacts),
    'accounting.document.changed': payload({ ...documentFacts, version: z.int() }),
    'accounting.document.issued': payload({ ...issued, ...content }),
    'accounting.document.voided': payload(voided),
    'accounting.document.erased': payload({ document_ids: z.array(id), reason: text }),
    'accounting.payment.recorded': payload({ ...payment, ...content }),
    'accounting.payment.voided': payload(voidedPayment),
    'accounting.allocation.made': payload({ ...allocation, ...content }),
    'accounting.allocation.undone': payload(undone),
    'accounting.items.revalued': payload({
      revaluation_id: id,
      day,
      entry_id: id,
      mirror_id: id,
      items: z.int(),
      ...content,
    }),
  },
  published: {
    'accounting.bank_connection.changed': payload({ connection_id: id, state: text, fault: text.optional() }),
    'accounting.entry.posted': payload(entry),
    'accounting.document.issued': payload(issued),
    'accounting.document.voided': payload(voided),
    'accounting.document.erased': payload({ documentIds: z.array(id) }),
    'accounting.payment.recorded': payload(payment),
    'accounting.payment.voided': payload(voidedPayment),
    'accounting.allocation.made': payload(allocation),
    'accounting.allocation.undone': payload(undone),
  },
  // Lines of feeds are told of by their own events alone.
  reserved: ['accounting.feed.**'],
});
