import {
  areAlike,
  type Booked,
  type Document,
  getDocument,
  getPayment,
  readRate,
  recordPayment,
} from '@steward/accounting';
import { money, parseAmount } from '@steward/kernel';
import { editsOf, movementsOf, type Refund, refundIn } from '@steward/orders';
import { bookkeepingFail } from '../errors.ts';
import { clearingOf } from './account.ts';
import { type Back, creditNote, totalOf } from './credit.ts';
import { cameIn, isSettled } from './allocation.ts';
import { chargesOf, requireBilled } from './issued.ts';
import { methodOf } from './payment.ts';
import { openCredits, settleCredit } from './settle-credits.ts';
import type { Outcome, Work } from './work.ts';

/**
 * What was taken back lowers the invoice by a credit note: it pays what was still to be paid of it, and a payment made by each handler settles the rest. Where the
 * order was cancelled in the books before, nothing is left to lower: the payment made settles what came in.
 */
export async function refund(work: Work): Promise<Outcome> {
  const { tx, context, order, profile, own, all } = work;
  const billed = await requireBilled(work);
  if (billed === undefined) return { state: 'left_out', reason: 'no_invoice' };
  const given = await refundIn(tx, own.sourceId);
  if (given === undefined) return { state: 'left_out', reason: 'order_deleted' };
  const { partyId, invoice } = billed;
  const date = work.date ?? given.createdAt.slice(0, 10);
  const credited = all.some(({ kind, state }) => kind === 'cancellation' && state === 'posted');
  const booked: Booked[] = [];
  let documentId: string | undefined;
  let credits: Credit[] = [];
  const moves = parseAmount(given.total.amount, order.currency) !== 0n;
  if (invoice === undefined || credited) {
    if (!moves) return { state: 'left_out', reason: 'no_amount' };
    credits = await creditsOf(work);
  } else {
    if (totalOf(backOf(given)) > 0n) {
      const { document: note, ...issued } = await creditNote(work, invoice, backOf(given), date);
      const lowered = { id: note.id, open: given.credited };
      const { left: _left, ...allocated } = await settleCredit(
        work,
        lowered,
        [invoice, ...(await chargesOf(work))],
        date,
      );
      booked.push(issued, allocated);
      documentId = note.id;
      credits = [{ id: note.id, open: openIn((await getDocument(context, { id: note.id })).open, order.currency) }];
    }
    if (minorOf(given.balance.amount, order.currency) > 0n) {
      await requireEditsPosted(work);
      credits.push(...(await creditsOf(work)));
    }
  }
  const paymentIds: string[] = [];
  for (const moved of await movementsOf(tx, order.id)) {
    if (moved.kind !== 'refund' || moved.sourceId !== given.id) continue;
    const { payment, ...paid } = await recordPayment(context, {
      direction: 'made',
      refund: true,
      partyId,
      account: await clearingOf(tx, profile, moved),
      date,
      currency: order.currency,
      amount: moved.amount.amount,
      reference: order.number,
      method: methodOf(moved),
      allocations: taken(credits, minorOf(moved.amount.amount, order.currency)).map(({ id, part }) => ({
        itemId: id,
        amount: money(part, order.currency).amount,
      })),
    });
    await requireLikeRate(work, invoice, payment);
    paymentIds.push(payment.id);
    booked.push(paid);
  }
  return {
    state: 'posted',
    ...(documentId === undefined ? {} : { documentId }),
    paymentIds,
    booked: { entries: booked.flatMap(({ entries }) => entries), effects: booked.flatMap(({ effects }) => effects) },
  };
}

/**
 * What is given back was decided when it was worth what came in: the system does not book it at a rate that somebody stored since and that is
 * further from that than a twentieth. A person sees what it would post, and may.
 * @throws Problem `posting_differs` (409)
 */
async function requireLikeRate(
  { context, order, all, people }: Work,
  invoice: Document | undefined,
  { rate }: { readonly rate: string },
): Promise<void> {
  if (people) return;
  const paid = all.find(({ kind, state, paymentId }) => kind === 'payment' && state === 'posted' && paymentId !== null);
  const was = paid?.paymentId ? (await getPayment(context, { id: paid.paymentId })).rate : (invoice?.rate ?? rate);
  if (areAlike(readRate(was), readRate(rate))) return;
  throw bookkeepingFail(
    'posting_differs',
    `What came in at a rate of ${was} would be given back at ${rate}: check the exchange rates of ${order.currency}, or put it into the books yourself.`,
  );
}

const openIn = (open: { readonly amount: string } | null, currency: string): bigint =>
  minorOf(open?.amount ?? '0', currency);

const minorOf = (text: string, currency: string): bigint => parseAmount(text, currency) ?? 0n;

export function backOf(given: Refund): Back {
  const minor = ({ amount }: { readonly amount: string }): bigint => minorOf(amount, given.currency);
  return {
    lines: given.lines.map(({ lineId, title, quantity, net, tax }) => ({
      lineId,
      title,
      quantity,
      net: minor(net),
      tax: minor(tax),
    })),
    shipping: { net: minor(given.shippingNet), tax: minor(given.shippingTax) },
    adjustment: minor(given.adjustment),
  };
}

interface Credit {
  readonly id: string;
  open: bigint;
}

/**
 * What the customer has open of an order: of credit notes of its edits and its cancellation, and of all that came in.
 * @throws Problem `payment_not_posted` (409)
 */
async function creditsOf({ tx, context, order, all }: Work): Promise<Credit[]> {
  if ((await movementsOf(tx, order.id)).some((moved) => cameIn(moved) && !isSettled(all, moved)))
    throw bookkeepingFail(
      'payment_not_posted',
      'What came in for the order is not in the books yet: what is given back of it follows.',
    );
  return (await openCredits({ context, all })).map(({ id, open }) => ({
    id,
    open: openIn(open, order.currency),
  }));
}

/** What an edit left over is open in the books only once they have the edit. @throws Problem `edit_not_posted` (409) */
async function requireEditsPosted({ tx, order, all }: Work): Promise<void> {
  for (const { id } of await editsOf(tx, order.id)) {
    const done = all.filter(
      ({ sourceId, kind, state }) =>
        sourceId === id && kind === 'edit_credit' && (state === 'posted' || state === 'left_out'),
    );
    if (done.length === 0)
      throw bookkeepingFail(
        'edit_not_posted',
        'What an edit took off the order is not in the books yet: what is given back of it follows.',
      );
  }
}

/** Parts of credits that make up an amount, as far as they do; they are used up by it. */
function taken(credits: readonly Credit[], amount: bigint): { readonly id: string; readonly part: bigint }[] {
  let left = amount;
  return credits.flatMap((credit) => {
    const part = credit.open < left ? credit.open : left;
    credit.open -= part;
    left -= part;
    return part === 0n ? [] : [{ id: credit.id, part }];
  });
}
