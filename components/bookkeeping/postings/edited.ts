import { type EditedOrder, editIn, type VersionLine, type VersionShipping } from '@steward/orders';
import { billAnew } from './bill.ts';
import type { Taxed } from './credit.ts';
import { documentOf } from './document.ts';
import type { Outcome, Work } from './work.ts';

/** What an edit takes off a line, or of shipping where that is taxed otherwise. Minor units. */
export interface TakenOff {
  readonly lineId: string;
  readonly title: string;
  readonly quantity: number;
  readonly net: bigint;
  readonly tax: bigint;
  readonly of: Taxed;
}

/** What an edit took off and what it added. A line whose tax is another one is taken off and added as a whole. */
export interface Sides {
  readonly off: readonly TakenOff[];
  readonly shippingOff: VersionShipping | null;
  readonly added: readonly VersionLine[];
  readonly shippingAdded: VersionShipping | null;
}

export const taxedAs = ({ treatment, taxId, percentage }: VersionLine | VersionShipping): Taxed => ({
  treatment,
  taxId,
  taxPercentage: `${percentage / 10_000n}.${(percentage % 10_000n).toString().padStart(4, '0')}`,
});

export function sidesOf({ before, after }: EditedOrder): Sides {
  const was = new Map(before.lines.map((line) => [line.id, line]));
  const off: TakenOff[] = [];
  const added: VersionLine[] = [];
  for (const line of after.lines) {
    const old = was.get(line.id);
    const taken = (part: Pick<TakenOff, 'quantity' | 'net' | 'tax'>, of: VersionLine): unknown =>
      part.net + part.tax === 0n ? undefined : off.push({ lineId: of.id, title: of.title, of: taxedAs(of), ...part });
    if (old === undefined) added.push(line);
    else if (!isTaxedAlike(old, line) && line.quantity > 0) {
      taken(old, old);
      added.push(line);
    } else taken({ quantity: old.quantity - line.quantity, net: old.net - line.net, tax: old.tax - line.tax }, old);
  }
  const { shipping } = before;
  const retaxed = shipping !== null && after.shipping !== null && !isTaxedAlike(shipping, after.shipping);
  return {
    off: off.map(({ lineId, title, quantity, net, tax, of }) => ({ lineId, title, quantity, net, tax, of })),
    shippingOff: retaxed ? shipping : null,
    added,
    shippingAdded: retaxed ? after.shipping : null,
  };
}

const isTaxedAlike = (a: VersionLine | VersionShipping, b: VersionLine | VersionShipping): boolean =>
  a.treatment === b.treatment && a.taxId === b.taxId && a.percentage === b.percentage;

export const totalAdded = ({ added, shippingAdded }: Sides): bigint =>
  [...added, ...(shippingAdded === null ? [] : [shippingAdded])].reduce((sum, { total }) => sum + total, 0n);

/**
 * What an edit owes the books: undefined, since its invoice has it or will have it, or nothing gets there; else its sides, which an issued invoice does not
 * have. Where the invoice is a draft, that is made anew.
 */
export async function editOf(
  work: Work,
): Promise<{ readonly outcome: Outcome } | { readonly edit: EditedOrder; readonly sides: Sides }> {
  const { tx, context, order, own, all } = work;
  const leftOut = (reason: string, more: Partial<Outcome> = {}) => ({
    outcome: { state: 'left_out' as const, reason, ...more },
  });
  const edit = await editIn(tx, own.sourceId);
  if (edit === undefined) return leftOut('order_deleted');
  // The cancellation takes back what the books have of it.
  if (order.cancelledAt !== null) return leftOut('order_cancelled');
  const invoice = all.find(({ kind }) => kind === 'invoice');
  if (invoice === undefined || invoice.state === 'due' || invoice.state === 'waiting') return leftOut('in_invoice');
  if (invoice.orderVersion !== null && invoice.orderVersion >= edit.version) return leftOut('in_invoice');
  if (invoice.state === 'left_out' && invoice.reason !== 'no_amount') return leftOut('no_invoice');
  const document = await documentOf(context, invoice);
  if (invoice.state === 'left_out' || document === undefined || document.status === 'draft')
    return document === undefined && invoice.state === 'posted'
      ? leftOut('no_invoice')
      : leftOut('in_invoice', { also: [[invoice, await billAnew(work, invoice)]] });
  return { edit, sides: sidesOf(edit) };
}
