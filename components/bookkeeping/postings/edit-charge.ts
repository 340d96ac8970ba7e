import { type Booked, createDocument } from '@steward/accounting';
import { money } from '@steward/kernel';
import type { Order, VersionLine, VersionShipping } from '@steward/orders';
import { bookkeepingFail } from '../errors.ts';
import { editOf, type Sides, taxedAs, totalAdded } from './edited.ts';
import { type Billable, invoiceOf, saleOf } from './invoice.ts';
import { issue } from './issue.ts';
import { requireBilled } from './issued.ts';
import { openCredits, settleCredit, together } from './settle-credits.ts';
import type { Outcome, Work } from './work.ts';

/** What an edit added to an order that is invoiced is an invoice of its own, which the customer's credits of the order pay first. */
export async function editCharge(work: Work): Promise<Outcome> {
  const found = await editOf(work);
  if ('outcome' in found) return found.outcome;
  const { context, order, profile, language } = work;
  const total = totalAdded(found.sides);
  if (total === 0n) return { state: 'left_out', reason: 'no_amount' };
  const billed = await requireBilled(work);
  if (billed === undefined) return { state: 'left_out', reason: 'no_invoice' };
  const date = work.date ?? found.edit.createdAt.toISOString().slice(0, 10);
  const made = await createDocument(
    context,
    invoiceOf(billable(order, found.sides), profile, { partyId: billed.partyId, date, language }),
    saleOf(order, language),
  );
  const due = money(total, order.currency).amount;
  if (made.total.amount !== due)
    throw bookkeepingFail(
      'posting_differs',
      `The total of the invoice would be ${made.total.amount}, and ${due} ${order.currency} were added.`,
    );
  const { document, ...issued } = await issue(work, made.id);
  const booked: Booked[] = [issued];
  let charge = document;
  for (const credit of await openCredits(work)) {
    const { left, ...settled } = await settleCredit(work, credit, [charge], date);
    booked.push(settled);
    charge = left[0] ?? charge;
  }
  return { state: 'posted', documentId: document.id, booked: together(...booked) };
}

function billable(order: Order, { added, shippingAdded }: Sides): Billable {
  const told = (minor: bigint) => money(minor, order.currency);
  const paid = (one: VersionLine | VersionShipping) => ({
    ...taxedAs(one),
    discounts: one.discounts.map(({ discountId, amount }) => ({ discountId, amount: told(amount) })),
    net: told(one.net),
    total: told(one.total),
  });
  const { number, currency, pricesIncludeTax } = order;
  return {
    number,
    currency,
    pricesIncludeTax,
    lines: added.map((line) => ({
      ...paid(line),
      title: line.title,
      options: line.options,
      quantity: line.quantity,
      unitPrice: told(line.unitPrice),
    })),
    shipping: shippingAdded === null ? null : { ...paid(shippingAdded), name: shippingAdded.name },
  };
}
