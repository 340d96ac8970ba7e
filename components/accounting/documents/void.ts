import { operation } from '@steward/access';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { announcement, event } from '../events.ts';
import { booksFail } from '../errors.ts';
import { mirror } from '../journal/reverse.ts';
import { dayText } from '../money/schema.ts';
import { decides } from '../operations.ts';
import { lockItems } from '../subledger/items.ts';
import { booked, shown } from '../subledger/shown.ts';
import { document, type Document, documentIn } from './document.ts';
import { documentId, seenVersion } from './input.ts';
import { natures } from './kind.ts';
import { lockDocument } from './lock.ts';

/**
 * Voids a document: a draft is discarded, an issued one undone by the mirror of its entry. It keeps its number.
 * @throws Problem `not_found` (404), `already_void`, `allocated`, `stale_document`, `period_closed` (409),
 *   `date_too_early` (422)
 */
export const voidDocument = operation(
  {
    ...decides,
    area: 'sales',
    name: 'service_void_document',
    input: z.strictObject({
      id: documentId,
      date: dayText.optional().meta({ description: 'Day of the reversing entry, in an open month. Not for a draft.' }),
      version: seenVersion,
    }),
    answer: booked.extend({ document: document.answer }),
    errors: {
      not_found: null,
      already_void: 'id',
      allocated: 'id',
      stale_document: 'version',
      period_closed: 'date',
      date_too_early: 'date',
    },
  },
  async (scope, { id, date, version }) =>
    scope.write(async (tx) => {
      const found = await lockDocument(tx, id, version);
      if (found.status === 'void') throw booksFail('already_void', 'The document is already void.');
      const entries = found.status === 'draft' ? [] : [await undo(tx, found, date)];
      await tx.query(sql`
      update accounting.document set status = 'void', version = version + 1
      where tenant_id = ${tx.context.tenant}::uuid and document_id = ${id}::uuid`);
      const facts = { document_id: id, kind: found.kind, entries };
      tx.record(event('accounting.document.voided', facts));
      tx.publish(announcement('accounting.document.voided', facts, { subject: id }));
      return { document: await documentIn(tx, id), ...(await shown(tx, entries)) };
    }),
);

async function undo(tx: TenantTransaction, voided: Document, date: string | undefined): Promise<string> {
  const item = (await lockItems(tx, [voided.id])).get(voided.id);
  if (item === undefined || item.open !== item.amount)
    throw booksFail('allocated', 'Payments or credits are allocated to this document: undo their allocations first.');
  const day = date ?? item.movedOn;
  if (day < item.movedOn)
    throw booksFail(
      'date_too_early',
      `This document last changed on ${item.movedOn}: void it on that day or a later one.`,
    );
  const posted = await mirror(tx, voided.entryId ?? '', {
    date: day,
    narration: `Void ${natures[voided.kind].title.toLowerCase()} ${voided.number}`,
    sourceId: voided.id,
  });
  return posted.id;
}
