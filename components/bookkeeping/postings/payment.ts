import { getPayment, payersOf, recordPayment } from '@steward/accounting';
import { money, parseAmount } from '@steward/kernel';
import { movementsOf } from '@steward/orders';
import { bookkeepingFail } from '../errors.ts';
import { clearingOf } from './account.ts';
import { chargesOf, requireBilled, requirePosting } from './issued.ts';
import type { Outcome, Work } from './work.ts';

/** Money that came in for an order, on the account of its handler, pays the order's invoice and what edits added; what that has no room for is a credit of the customer. */
export async function payment(work: Work): Promise<Outcome> {
  const { tx, context, order, profile, own, date } = work;
  const billed = await requireBilled(work, false);
  if (billed === undefined) return { state: 'left_out', reason: 'no_invoice' };
  const moved = (await movementsOf(tx, order.id)).find(({ id }) => id === own.sourceId);
  if (moved === undefined) return { state: 'left_out', reason: 'no_amount' };
  const { partyId, invoice } = billed;
  const minor = (text: string | undefined): bigint => parseAmount(text ?? '0', order.currency) ?? 0n;
  const charges = [...(invoice === undefined ? [] : [invoice]), ...(await chargesOf(work))];
  let left = minor(moved.amount.amount);
  const allocations = charges.flatMap(({ id: itemId, open }) => {
    const part = minor(open?.amount) < left ? minor(open?.amount) : left;
    left -= part;
    return part === 0n ? [] : [{ itemId, amount: money(part, order.currency).amount }];
  });
  if (left > 0n) {
    const recorded = await recordedBefore(work, charges, moved.amount.amount);
    if (recorded.length > 0) return { state: 'posted', paymentIds: recorded };
  }
  requirePosting(work);
  const { payment: made, ...booked } = await recordPayment(context, {
    direction: 'received',
    partyId,
    account: await clearingOf(tx, profile, moved),
    date: date ?? moved.receivedOn ?? moved.createdAt.slice(0, 10),
    currency: order.currency,
    amount: moved.amount.amount,
    reference: order.number,
    method: methodOf(moved),
    allocations,
  });
  return { state: 'posted', paymentIds: [made.id], booked };
}

/**
 * What the documents of an order have no room for, because people recorded payments of them in the books, is one of those, or all of them: it is
 * not counted twice. Where they are of other amounts, a person may count it, as it may have come beside them.
 * @returns the payments that it is
 * @throws Problem `posting_differs` (409)
 */
async function recordedBefore(
  { tx, context, order, all, people }: Work,
  charges: readonly { readonly id: string }[],
  amount: string,
): Promise<readonly string[]> {
  const own = new Set(all.flatMap(({ paymentIds }) => paymentIds));
  const payers = await payersOf(
    tx,
    charges.map(({ id }) => id),
  );
  const others = payers.filter((id) => !own.has(id));
  const minor = (text: string): bigint => parseAmount(text, order.currency) ?? 0n;
  let sum = 0n;
  for (const id of others) {
    const { amount: known } = await getPayment(context, { id });
    if (known.amount === amount) return [id];
    sum += minor(known.amount);
  }
  if (sum === minor(amount)) return others;
  if (people || others.length === 0) return [];
  throw bookkeepingFail(
    'posting_differs',
    'The invoice of the order was paid by what people recorded in the books, in other amounts: put this into the books yourself if it came beside that.',
  );
}

export const methodOf = ({ handler, method }: { readonly handler: string; readonly method: string }) =>
  handler !== 'manual' ? 'card' : method === 'cash_on_delivery' ? 'cash' : 'transfer';
