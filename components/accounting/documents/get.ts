import type { TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { type Document, documentById, presentDocument } from './document.ts';
import { unknownDocument } from './kind.ts';

/** @throws Problem `not_found` (404), for another tenant's document too */
export async function getDocument(context: TenantContext, id: string): Promise<Document> {
  const [row] = await context.require(readBooks).read(documentById(context.tenant, id));
  if (row === undefined) throw unknownDocument();
  return presentDocument(row);
}
