import { type Booked, type Document, issueDocument, renamedSince } from '@steward/accounting';
import { bookkeepingFail } from '../errors.ts';
import type { Work } from './work.ts';

/**
 * Issues a document of an order. The system issues none under a name that nobody has seen on one.
 * @throws Problem `posting_differs` (409), and as the books do
 */
export async function issue(
  { tx, context, ports, people }: Work,
  id: string,
): Promise<Booked & { readonly document: Document }> {
  const issued = await issueDocument(context, { id }, ports);
  const renamed = people ? undefined : await renamedSince(tx, id);
  if (renamed !== undefined)
    throw bookkeepingFail(
      'posting_differs',
      `Documents were issued by ${renamed.before} so far, and this one would be by ${renamed.now}, as the organization is called now: issue it ` +
        'yourself, or say in the details of the seller how it is called.',
    );
  return issued;
}
