import { createDocument, type Document, voidDocument } from '@steward/accounting';
import { lastDayToPay, type Order } from '@steward/orders';
import { bookkeepingFail } from '../errors.ts';
import { customerFor } from './customer.ts';
import { documentOf } from './document.ts';
import { invoiceOf, saleOf } from './invoice.ts';
import { issue } from './issue.ts';
import type { Posting } from './posting.ts';
import type { Outcome, Work } from './work.ts';

/**
 * The draft of the invoice is made anew, of the order as it is now: what was drafted is void, and nothing is issued by it.
 * @throws Problem as `bill` does; then the draft stays
 */
export async function billAnew(work: Work, invoice: Posting): Promise<Outcome> {
  const drafted = await documentOf(work.context, invoice);
  if (drafted?.status === 'draft') await voidDocument(work.context, { id: drafted.id });
  // What was begun is kept, also where the profile leaves out what comes from now on.
  const profile = { ...work.profile, mode: 'drafts' } as const;
  return bill({ ...work, profile, people: false, date: undefined, own: { ...invoice, documentId: null } });
}

/** What was bought becomes an invoice: as a draft, or issued where people or their profile say so. */
export async function bill(work: Work): Promise<Outcome> {
  const { context, order, profile, own, people, language } = work;
  const drafted = await documentOf(context, own);
  if (drafted?.status === 'issued' || drafted?.status === 'paid') return { state: 'posted', documentId: drafted.id };
  if (order.cancelledAt !== null) {
    if (drafted?.status === 'draft') await voidDocument(context, { id: drafted.id });
    return { state: 'left_out', reason: 'order_cancelled' };
  }
  if (drafted?.status === 'draft')
    return people ? issued(work, drafted.id) : { state: 'drafted', documentId: drafted.id };
  if (own.documentId !== null && !people) return { state: 'waiting', reason: 'document_void' };
  if (!people && profile.mode === 'off') return { state: 'left_out', reason: 'profile_off' };
  if (isZero(order)) return { state: 'left_out', reason: 'no_amount' };
  const partyId = await customerFor(work);
  const date = work.date ?? order.placedAt.slice(0, 10);
  const lastDay = await lastDayToPay(work.tx, order.id);
  const made = await createDocument(
    context,
    invoiceOf(order, profile, {
      partyId,
      date,
      language,
      dueDate: lastDay !== null && lastDay >= date ? lastDay : undefined,
    }),
    saleOf(order, language),
  );
  requireSame(made, order);
  const { version: orderVersion } = order;
  return people || profile.mode === 'post'
    ? { ...(await issued(work, made.id)), orderVersion }
    : { state: 'drafted', documentId: made.id, orderVersion };
}

async function issued(work: Work, id: string): Promise<Outcome> {
  const { document, ...booked } = await issue(work, id);
  return { state: 'posted', documentId: document.id, booked };
}

const isZero = ({ total }: Order): boolean => /^[0.]*$/.test(total.amount);

/** @throws Problem `posting_differs` (409): nothing is posted that is not what the buyer was charged */
function requireSame(made: Document, order: Order): void {
  const members = ['net', 'tax', 'total'] as const;
  const wrong = members.find((member) => made[member].amount !== order[member].amount);
  if (wrong !== undefined)
    throw bookkeepingFail(
      'posting_differs',
      `The ${wrong} of the document would be ${made[wrong].amount}, and that of the order is ${order[wrong].amount} ${order.currency}.`,
    );
}
