import { type Document, getPayment } from '@steward/accounting';
import { bookkeepingFail } from '../errors.ts';
import { customerFor } from './customer.ts';
import { documentOf } from './document.ts';
import type { Work } from './work.ts';

/** What the money of an order is booked against. */
interface Billed {
  readonly partyId: string;
  /** Undefined where the order was cancelled before it had one. */
  readonly invoice: Document | undefined;
}

/**
 * The issued invoice of the order, for what follows it, or the customer alone where the order was cancelled without one: undefined where nothing of the
 * order gets into the books.
 * @param posts whether something is going to be posted in any case
 * @throws Problem `invoice_not_issued`, `people_post` (409)
 */
export async function requireBilled(work: Work, posts = true): Promise<Billed | undefined> {
  const { context, order, all } = work;
  const own = all.find(({ kind }) => kind === 'invoice');
  if (own?.state === 'left_out' && own.reason !== 'order_cancelled') return undefined;
  const found = own?.state === 'posted' ? await documentOf(context, own) : undefined;
  const invoice = found?.status === 'void' ? undefined : found;
  const never = own?.state === 'left_out' || (own?.state === 'posted' && order.cancelledAt !== null);
  if (invoice === undefined && !never)
    throw bookkeepingFail(
      'invoice_not_issued',
      found === undefined
        ? 'The invoice of the order is not issued yet: this follows it.'
        : 'The invoice of the order is void: issue another for it.',
    );
  if (posts) requirePosting(work);
  if (invoice !== undefined) return { invoice, partyId: invoice.partyId };
  const paid = all.find(({ paymentId }) => paymentId !== null)?.paymentId ?? undefined;
  // Somebody who was erased is a new customer each time.
  const partyId = paid === undefined ? await customerFor(work) : (await getPayment(context, { id: paid })).partyId;
  return { invoice, partyId };
}

/** @throws Problem `people_post` (409) where nothing is posted without people */
export function requirePosting({ people, profile }: Pick<Work, 'people' | 'profile'>): void {
  if (people || profile.mode === 'post') return;
  throw bookkeepingFail(
    'people_post',
    'The posting profile lets nothing be posted by itself: put it into the books, or set the mode `post`.',
  );
}

/** What edits added to the order after it was invoiced, as far as the books have it. */
export async function chargesOf({ context, all }: Pick<Work, 'context' | 'all'>): Promise<Document[]> {
  const found: Document[] = [];
  for (const one of all) {
    const document = one.kind === 'edit_charge' && one.state === 'posted' ? await documentOf(context, one) : undefined;
    if (document !== undefined && document.status !== 'void') found.push(document);
  }
  return found;
}
