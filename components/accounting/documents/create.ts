import { operation } from '@steward/access';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { writes } from '../operations.ts';
import { keepBooks } from '../permissions.ts';
import { claimKey } from '../subledger/key.ts';
import { document, type Document, documentIn } from './document.ts';
import { refuseDuplicate } from './duplicate.ts';
import { draft, type NewDocument } from './input.ts';
import { writeLines } from './lines.ts';
import { readInput, type SaleTerms } from './read-input.ts';

/**
 * Makes a draft. It is in no account until it is issued.
 * @throws Problem as `readInput` does, `duplicate_document`, `idempotency_conflict` (409)
 */
export async function createDocument(
  context: TenantContext,
  input: NewDocument,
  terms: SaleTerms = {},
): Promise<Document> {
  const { kind, idempotencyKey, ...content } = input;
  return context.require(keepBooks).write(async (tx) => {
    const claim =
      idempotencyKey === undefined
        ? { id: newId(), mine: true }
        : await claimKey(tx, 'document', idempotencyKey, [kind, content]);
    const { id } = claim;
    if (!claim.mine) return documentIn(tx, id);
    const read = await readInput(tx, kind, content, terms);
    await refuseDuplicate(tx, { id, kind, partyId: read.partyId, supplierNumber: read.supplierNumber });
    await tx.query(sql`
      insert into accounting.document (tenant_id, document_id, kind, party_id, currency, issue_date, due_date, pricing,
        supplier_number, reference, notes, credits, net, tax, total, buyer_name, buyer_address, buyer_vat_number)
      values (${context.tenant}::uuid, ${id}::uuid, ${kind}, ${read.partyId}::uuid, ${read.currency}, ${read.issueDate}::date,
        ${read.dueDate}::date, ${read.pricing}, ${read.supplierNumber}, ${read.reference}, ${read.notes}, ${read.credits}::uuid,
        ${read.net}::bigint, ${read.tax}::bigint, ${read.net + read.tax}::bigint,
        ${read.buyer?.name}, ${read.buyer?.address}, ${read.buyer?.vatNumber})`);
    await writeLines(tx, id, read.lines);
    const made = await documentIn(tx, id);
    tx.record(
      event('accounting.document.drafted', {
        document_id: id,
        kind,
        party_id: read.partyId,
        amount: made.total.amount,
        currency: read.currency,
      }),
    );
    return made;
  });
}

const drafts = {
  ...writes,
  area: 'sales',
  answer: document.answer,
  errors: {
    not_found: 'partyId',
    party_archived: 'partyId',
    document_invalid: 'lines',
    account_unusable: 'lines',
    control_account: 'lines',
    amount_too_large: 'lines',
  },
} as const;

/** As `createDocument`, of what customers are sent. */
export const createInvoice = operation(
  {
    ...drafts,
    name: 'service_create_invoice',
    input: draft.omit({ supplierNumber: true }).extend({
      kind: z
        .enum(['invoice', 'credit_note'])
        .default('invoice')
        .meta({ description: 'credit_note: lowers what the customer owes.' }),
    }),
  },
  async ({ context }, input) => createDocument(context, input),
);

/** As `createDocument`, of what suppliers send. */
export const createBill = operation(
  {
    ...drafts,
    name: 'service_create_bill',
    input: draft.extend({
      kind: z
        .enum(['bill', 'supplier_credit'])
        .default('bill')
        .meta({ description: 'supplier_credit: lowers what is owed to the supplier.' }),
    }),
    errors: { ...drafts.errors, duplicate_document: 'supplierNumber' },
  },
  async ({ context }, input) => createDocument(context, input),
);
