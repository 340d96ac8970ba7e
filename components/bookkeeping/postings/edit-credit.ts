import { creditNote, totalOf } from './credit.ts';
import { editOf, taxedAs } from './edited.ts';
import { chargesOf, requireBilled } from './issued.ts';
import { settleCredit, together } from './settle-credits.ts';
import type { Outcome, Work } from './work.ts';

/** What an edit took off an order that is invoiced lowers the invoice by a credit note. */
export async function editCredit(work: Work): Promise<Outcome> {
  const found = await editOf(work);
  if ('outcome' in found) return found.outcome;
  const { off, shippingOff } = found.sides;
  const back = {
    lines: off,
    shipping: shippingOff === null ? { net: 0n, tax: 0n } : { ...shippingOff, of: taxedAs(shippingOff) },
    adjustment: 0n,
  };
  if (totalOf(back) === 0n) return { state: 'left_out', reason: 'no_amount' };
  const billed = await requireBilled(work);
  if (billed?.invoice === undefined) return { state: 'left_out', reason: 'no_invoice' };
  const date = work.date ?? found.edit.createdAt.toISOString().slice(0, 10);
  const { document: note, ...issued } = await creditNote(work, billed.invoice, back, date);
  const allocated = await settleCredit(work, note, [billed.invoice, ...(await chargesOf(work))], date);
  return { state: 'posted', documentId: note.id, booked: together(issued, allocated) };
}
