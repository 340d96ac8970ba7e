import { isDeepStrictEqual } from 'node:util';
import { asItWas, operation } from '@steward/access';
import { sql } from '@steward/sql';
import { event } from '../events.ts';
import { writes } from '../operations.ts';
import { parseDecimal } from './decimal.ts';
import { document, type Document, documentIn } from './document.ts';
import { refuseDuplicate } from './duplicate.ts';
import { documentId, draft, seenVersion } from './input.ts';
import { writeLines } from './lines.ts';
import { lockDocument, requireDraft } from './lock.ts';
import { type ReadDocument, readInput } from './read-input.ts';

/**
 * Replaces the contents of a draft, all but its kind. Equal contents change nothing, also not its version.
 * @throws Problem as `readInput` does, `stale_document`, `not_a_draft`, `duplicate_document` (409)
 */
export const updateDocument = operation(
  {
    ...writes,
    area: 'sales',
    name: 'service_update_document',
    input: draft.extend({ id: documentId, version: seenVersion }),
    answer: document.answer,
    errors: {
      not_found: null,
      stale_document: 'version',
      not_a_draft: 'id',
      party_archived: 'partyId',
      document_invalid: 'lines',
      account_unusable: 'lines',
      control_account: 'lines',
      amount_too_large: 'lines',
      duplicate_document: 'supplierNumber',
    },
  },
  async (scope, { id, version, ...input }) =>
    scope.write(async (tx) => {
      const before = await lockDocument(tx, id, version);
      requireDraft(before);
      const read = await readInput(tx, before.kind, input);
      if (isDeepStrictEqual(saidBy(read), saidBy(before))) return asItWas(before);
      await refuseDuplicate(tx, { id, kind: before.kind, partyId: read.partyId, supplierNumber: read.supplierNumber });
      await tx.query(sql`
      update accounting.document set version = version + 1, party_id = ${read.partyId}::uuid, currency = ${read.currency},
        issue_date = ${read.issueDate}::date, due_date = ${read.dueDate}::date, pricing = ${read.pricing},
        supplier_number = ${read.supplierNumber}, reference = ${read.reference}, notes = ${read.notes},
        credits = ${read.credits}::uuid, net = ${read.net}::bigint, tax = ${read.tax}::bigint,
        total = ${read.net + read.tax}::bigint
      where tenant_id = ${tx.context.tenant}::uuid and document_id = ${id}::uuid`);
      if (read.credits?.toLowerCase() !== before.credits?.toLowerCase())
        await tx.query(sql`
        update accounting.document set buyer_name = ${read.buyer?.name ?? null}, buyer_address = ${read.buyer?.address ?? null},
          buyer_vat_number = ${read.buyer?.vatNumber ?? null}
        where tenant_id = ${tx.context.tenant}::uuid and document_id = ${id}::uuid`);
      await writeLines(tx, id, read.lines);
      const changed = await documentIn(tx, id);
      tx.record(
        event('accounting.document.changed', {
          document_id: id,
          kind: changed.kind,
          version: changed.version,
          party_id: changed.partyId,
          amount: changed.total.amount,
          currency: changed.currency,
        }),
      );
      return changed;
    }),
);

/** What a caller may say of a draft, in one form however the numbers and ids were written. */
const saidBy = ({
  partyId,
  currency,
  issueDate,
  dueDate,
  pricing,
  supplierNumber,
  reference,
  notes,
  credits,
  lines,
}: Document | ReadDocument) => ({
  terms: [partyId, currency, issueDate, dueDate, pricing, supplierNumber, reference, notes, credits?.toLowerCase()],
  lines: lines.map(({ description, quantity, unitPrice, accountId, taxId }) => [
    description,
    parseDecimal(quantity),
    parseDecimal(unitPrice),
    accountId,
    taxId?.toLowerCase(),
  ]),
});
