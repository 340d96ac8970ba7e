import {
  allocateCredit,
  type Booked,
  createDocument,
  type Document,
  issueDocument,
  voidDocument,
} from '@steward/accounting';
import { money, parseAmount } from '@steward/kernel';
import { type Order, refundIn } from '@steward/orders';
import { accountOf } from './account.ts';
import { type Back, creditNote, totalOf } from './credit.ts';
import { documentOf } from './document.ts';
import { requireBilled } from './issued.ts';
import { backOf } from './refund.ts';
import type { Outcome, Work } from './work.ts';

/**
 * Takes back what the books have of an order that was cancelled: a draft is void; an issued invoice is credited with all of it that no refund has
 * credited before, tax by tax. What came in stays with the customer until it is given back.
 */
export async function cancellation(work: Work): Promise<Outcome> {
  const { context, order, all } = work;
  const own = all.find(({ kind }) => kind === 'invoice');
  const found = own === undefined ? undefined : await documentOf(context, own);
  if (found?.status === 'draft') {
    await voidDocument(context, { id: found.id });
    return { state: 'left_out', reason: 'draft_voided' };
  }
  if (found === undefined || found.status === 'void') return { state: 'left_out', reason: 'no_invoice' };
  const invoice = (await requireBilled(work))?.invoice;
  if (invoice === undefined) return { state: 'left_out', reason: 'no_invoice' };
  const back = await restOf(work);
  const total = totalOf(back);
  const date = work.date ?? (order.cancelledAt ?? order.placedAt).slice(0, 10);
  if (total > 0n) {
    const { document: note, ...issued } = await creditNote(work, invoice, back, date);
    const allocated = await allocate(work, note, [invoice], date);
    return { state: 'posted', documentId: note.id, booked: together(issued, allocated) };
  }
  if (back.adjustment === 0n) return { state: 'left_out', reason: 'no_amount' };
  // All was given back, and not as what was sold: its tax is taken back too, by two documents that come to nothing. So the posting has neither.
  const { document: note, ...issued } = await creditNote(work, invoice, { ...back, adjustment: 0n }, date);
  const { document: charge, ...charged } = await givenBefore(work, invoice, { amount: -back.adjustment, date });
  const allocated = await allocate(work, note, [charge], date);
  return { state: 'posted', booked: together(issued, charged, allocated) };
}

const together = (...all: readonly Booked[]): Booked => ({
  entries: all.flatMap(({ entries }) => entries),
  effects: all.flatMap(({ effects }) => effects),
});

/** What was sold, less what credit notes of refunds have taken back. */
async function restOf({ tx, order, all }: Work): Promise<Back> {
  const before: Back[] = [];
  for (const { kind, state, documentId, sourceId } of all) {
    if (kind !== 'refund' || state !== 'posted' || documentId === null) continue;
    const given = await refundIn(tx, sourceId);
    if (given !== undefined) before.push(backOf(given));
  }
  const sum = <Of>(of: readonly Of[], pick: (one: Of) => bigint): bigint => of.reduce((so, one) => so + pick(one), 0n);
  const lines = order.lines.map(({ id, title, quantity, ...line }) => {
    const taken = before.flatMap((one) => one.lines.filter(({ lineId }) => lineId === id));
    const { net, tax } = soldOf(order, line);
    return {
      lineId: id,
      title,
      quantity: quantity - taken.reduce((units, one) => units + one.quantity, 0),
      net: net - sum(taken, (one) => one.net),
      tax: tax - sum(taken, (one) => one.tax),
    };
  });
  const shipping = order.shipping === null ? { net: 0n, tax: 0n } : soldOf(order, order.shipping);
  return {
    lines: lines.filter(({ net, tax }) => net + tax > 0n),
    shipping: {
      net: shipping.net - sum(before, (one) => one.shipping.net),
      tax: shipping.tax - sum(before, (one) => one.shipping.tax),
    },
    adjustment: -sum(before, ({ adjustment }) => adjustment),
  };
}

const soldOf = ({ currency }: Order, { net, tax }: Pick<Order, 'net' | 'tax'>) => ({
  net: parseAmount(net.amount, currency) ?? 0n,
  tax: parseAmount(tax.amount, currency) ?? 0n,
});

/** Charges again what was credited beside what was sold, since all that was sold is credited now. */
async function givenBefore(
  { context, order, profile }: Work,
  { partyId }: Document,
  { amount, date }: { readonly amount: bigint; readonly date: string },
) {
  const { id } = await createDocument(context, {
    kind: 'invoice',
    partyId,
    issueDate: date,
    currency: order.currency,
    reference: order.number,
    lines: [
      {
        description: 'Adjustment, given back before',
        quantity: '1',
        unitPrice: money(amount, order.currency).amount,
        account: accountOf(profile, 'salesAccount'),
      },
    ],
  });
  return issueDocument(context, { id });
}

/** A credit pays what is open of charges, as far as it goes. */
async function allocate(
  { context, order }: Work,
  credit: Document,
  charges: readonly Document[],
  date: string,
): Promise<Booked> {
  const minor = (of: Document): bigint => parseAmount(of.open?.amount ?? '0', order.currency) ?? 0n;
  let left = minor(credit);
  const allocations = charges.flatMap((charge) => {
    const part = minor(charge) < left ? minor(charge) : left;
    left -= part;
    return part === 0n ? [] : [{ itemId: charge.id, amount: money(part, order.currency).amount }];
  });
  if (allocations.length === 0) return { entries: [], effects: [] };
  const { allocations: _made, ...booked } = await allocateCredit(context, { creditId: credit.id, date, allocations });
  return booked;
}
