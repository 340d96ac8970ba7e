import { sql, type TenantTransaction } from '@steward/sql';
import { booksFail } from '../errors.ts';
import { type Document, documentIn } from './document.ts';
import { unknownDocument } from './kind.ts';

/**
 * A document, locked until the transaction ends.
 * @param version the one the caller has seen; none where it does not matter
 * @throws Problem `not_found` (404), `stale_document` (409)
 */
export async function lockDocument(tx: TenantTransaction, id: string, version?: number): Promise<Document> {
  const found = await tx.query(sql`
    select document_id from accounting.document
    where tenant_id = ${tx.context.tenant}::uuid and document_id = ${id}::uuid for no key update`);
  if (found.length === 0) throw unknownDocument();
  const document = await documentIn(tx, id);
  if (version !== undefined && version !== document.version)
    throw booksFail(
      'stale_document',
      `The document was changed and now has version ${document.version}, not ${version}: read it again before you change ` +
        'it.',
    );
  return document;
}

/** @throws Problem `not_a_draft` (409) */
export function requireDraft(document: Document): void {
  if (document.status !== 'draft')
    throw booksFail('not_a_draft', `The document is ${document.status}: only a draft can be changed or issued.`);
}
