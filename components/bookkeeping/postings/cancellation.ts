import { createDocument, type Document, documentWords, voidDocument } from '@steward/accounting';
import { money, parseAmount } from '@steward/kernel';
import { editsOf, type Order, refundIn } from '@steward/orders';
import type { Kind } from '../words.ts';
import { accountOf } from './account.ts';
import { type Back, creditNote, type Taxed, totalOf } from './credit.ts';
import { documentOf } from './document.ts';
import { sidesOf, type TakenOff, taxedAs } from './edited.ts';
import { saleOf } from './invoice.ts';
import { issue } from './issue.ts';
import { chargesOf, requireBilled } from './issued.ts';
import { backOf } from './refund.ts';
import { settleCredit, together } from './settle-credits.ts';
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
    const allocated = await settleCredit(work, note, [invoice, ...(await chargesOf(work))], date);
    return { state: 'posted', documentId: note.id, booked: together(issued, allocated) };
  }
  if (back.adjustment === 0n) return { state: 'left_out', reason: 'no_amount' };
  // All was given back, and not as what was sold: its tax is taken back too, by two documents that come to nothing. So the posting has neither.
  const { document: note, ...issued } = await creditNote(work, invoice, { ...back, adjustment: 0n }, date);
  const { document: charge, ...charged } = await givenBefore(work, invoice, { amount: -back.adjustment, date });
  const allocated = await settleCredit(work, note, [charge], date);
  return { state: 'posted', booked: together(issued, charged, allocated) };
}

/** What the books have of what was sold, less what credit notes of refunds have taken back. */
async function restOf({ tx, order, all }: Work): Promise<Back> {
  const before: Back[] = [];
  for (const { kind, state, documentId, sourceId } of all) {
    if (kind !== 'refund' || state !== 'posted' || documentId === null) continue;
    const given = await refundIn(tx, sourceId);
    if (given !== undefined) before.push(backOf(given));
  }
  const sum = <Of>(of: readonly Of[], pick: (one: Of) => bigint): bigint => of.reduce((so, one) => so + pick(one), 0n);
  const sold = await soldIn(tx, order, all);
  const lines = [...sold.lines.values()].map(({ lineId, title, quantity, net, tax, of }) => {
    // What was paid back once is edited no more, so it is of the line as the order has it.
    const taken = before.flatMap((one) =>
      one.lines.filter((line) => line.lineId === lineId && isNow(order, lineId, of)),
    );
    return {
      lineId,
      title,
      of,
      quantity: quantity - taken.reduce((units, one) => units + one.quantity, 0),
      net: net - sum(taken, (one) => one.net),
      tax: tax - sum(taken, (one) => one.tax),
    };
  });
  return {
    lines: lines.filter(({ net, tax }) => net + tax > 0n),
    shipping: {
      of: sold.shippingOf,
      net: sold.shipping.net - sum(before, (one) => one.shipping.net),
      tax: sold.shipping.tax - sum(before, (one) => one.shipping.tax),
    },
    adjustment: -sum(before, ({ adjustment }) => adjustment),
  };
}

const keyOf = (lineId: string, { treatment, taxId, taxPercentage }: Taxed): string =>
  [lineId, treatment, taxId, Number(taxPercentage)].join(' ');

function isNow({ lines }: Order, lineId: string, of: Taxed): boolean {
  const now = lines.find(({ id }) => id === lineId);
  return now !== undefined && keyOf(lineId, now) === keyOf(lineId, of);
}

/** The order as the books have it: as it is, without what edits did to it that the books have not heard of. */
async function soldIn(tx: Work['tx'], order: Order, all: Work['all']) {
  const lines = new Map<string, TakenOff>();
  const add = (line: TakenOff, sign: 1 | -1): void => {
    const key = keyOf(line.lineId, line.of);
    const now = lines.get(key) ?? { ...line, quantity: 0, net: 0n, tax: 0n };
    const by = BigInt(sign);
    lines.set(key, {
      ...now,
      quantity: now.quantity + sign * line.quantity,
      net: now.net + by * line.net,
      tax: now.tax + by * line.tax,
    });
  };
  for (const line of order.lines)
    add({ lineId: line.id, title: line.title, quantity: line.quantity, of: line, ...soldOf(order, line) }, 1);
  let shipping = order.shipping === null ? { net: 0n, tax: 0n } : soldOf(order, order.shipping);
  let shippingOf: Taxed | undefined = order.shipping ?? undefined;
  const invoiced = all.find(({ kind }) => kind === 'invoice')?.orderVersion ?? 0;
  const booked = (kind: Kind, id: string): boolean =>
    all.some((one) => one.kind === kind && one.sourceId === id && one.state === 'posted');
  for (const edit of (await editsOf(tx, order.id)).toReversed()) {
    if (edit.version <= invoiced) continue;
    const { off, added, shippingOff, shippingAdded } = sidesOf(edit);
    if (!booked('edit_charge', edit.id)) {
      for (const line of added) add({ ...line, lineId: line.id, of: taxedAs(line) }, -1);
      if (shippingAdded !== null) shipping = { net: 0n, tax: 0n };
    }
    if (!booked('edit_credit', edit.id)) {
      for (const line of off) add(line, 1);
      if (shippingOff !== null) {
        shipping = { net: shipping.net + shippingOff.net, tax: shipping.tax + shippingOff.tax };
        shippingOf = taxedAs(shippingOff);
      }
    }
  }
  return { lines, shipping, shippingOf };
}

const soldOf = ({ currency }: Order, { net, tax }: Pick<Order, 'net' | 'tax'>) => ({
  net: parseAmount(net.amount, currency) ?? 0n,
  tax: parseAmount(tax.amount, currency) ?? 0n,
});

/** Charges again what was credited beside what was sold, since all that was sold is credited now. */
async function givenBefore(
  work: Work,
  { partyId }: Document,
  { amount, date }: { readonly amount: bigint; readonly date: string },
) {
  const { context, order, profile, language } = work;
  const { id } = await createDocument(
    context,
    {
      kind: 'invoice',
      partyId,
      issueDate: date,
      currency: order.currency,
      reference: order.number,
      lines: [
        {
          description: documentWords[language].adjustmentBefore,
          quantity: '1',
          unitPrice: money(amount, order.currency).amount,
          account: accountOf(profile, 'salesAccount'),
        },
      ],
    },
    saleOf(order, language),
  );
  return issue(work, id);
}
