import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { announcement, event } from '../events.ts';
import { booksFail } from '../errors.ts';
import { mirror } from '../journal/reverse.ts';
import { keepBooks } from '../permissions.ts';
import { lockItems } from '../subledger/items.ts';
import { shown, type Shown } from '../subledger/shown.ts';
import { type Document, documentIn } from './document.ts';
import { natures } from './kind.ts';
import { lockDocument } from './lock.ts';

export interface VoidInput {
  readonly id: string;
  /** `YYYY-MM-DD`, in an open month: the day it is undone on. A draft needs none. */
  readonly date?: string | undefined;
  readonly version?: number | undefined;
}

/**
 * Voids a document: a draft is discarded, an issued one undone by the mirror of its entry. It keeps its number.
 * @throws Problem `not_found` (404), `already_void`, `allocated`, `stale_document`, `period_closed` (409),
 *   `date_too_early` (422)
 */
export async function voidDocument(
  context: TenantContext,
  input: VoidInput,
): Promise<Shown & { readonly document: Document }> {
  return context.require(keepBooks).write(async (tx) => {
    const document = await lockDocument(tx, input.id, input.version);
    if (document.status === 'void') throw booksFail('already_void', 'The document was voided before.');
    const entries = document.status === 'draft' ? [] : [await undo(tx, document, input.date)];
    await tx.query(sql`
      update accounting.document set status = 'void', version = version + 1
      where tenant_id = ${context.tenant}::uuid and document_id = ${input.id}::uuid`);
    const facts = { document_id: document.id, kind: document.kind, entries };
    tx.record(event('accounting.document.voided', facts));
    tx.publish(announcement('accounting.document.voided', facts, { subject: document.id }));
    return { document: await documentIn(tx, document.id), ...(await shown(tx, entries)) };
  });
}

async function undo(tx: TenantTransaction, document: Document, date: string | undefined): Promise<string> {
  const item = (await lockItems(tx, [document.id])).get(document.id);
  if (item === undefined || item.open !== item.amount)
    throw booksFail('allocated', 'Payments or credits are allocated to this document: take them off it first.');
  const day = date ?? item.movedOn;
  if (day < item.movedOn)
    throw booksFail(
      'date_too_early',
      `Something happened to this document on ${item.movedOn}: void it on that day or later.`,
    );
  const posted = await mirror(tx, document.entryId ?? '', {
    date: day,
    narration: `Void ${natures[document.kind].title.toLowerCase()} ${document.number}`,
    sourceId: document.id,
  });
  return posted.id;
}
