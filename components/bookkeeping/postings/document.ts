import { type Document, getDocument } from '@steward/accounting';
import { Problem } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { Posting } from './posting.ts';

/** What a posting made; undefined where it made nothing, or where that was deleted, as drafts of a person who was erased are. */
export async function documentOf(
  context: TenantContext,
  { documentId }: Pick<Posting, 'documentId'>,
): Promise<Document | undefined> {
  if (documentId === null) return undefined;
  try {
    return await getDocument(context, { id: documentId });
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined;
    throw error;
  }
}
