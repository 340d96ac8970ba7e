import { allocateCredit, type Booked, getDocument, getPayment } from '@steward/accounting';
import { type Money, money, parseAmount } from '@steward/kernel';
import type { Kind } from '../words.ts';
import type { Work } from './work.ts';

/** Something of the books with what is open of it. */
export interface OpenItem {
  readonly id: string;
  readonly open: Money | null;
}

export const together = (...all: readonly Booked[]): Booked => ({
  entries: all.flatMap(({ entries }) => entries),
  effects: all.flatMap(({ effects }) => effects),
});

/** A credit pays what is open of charges, as far as it goes; `left` is what is open of them then. */
export async function settleCredit<C extends OpenItem>(
  { context, order }: Pick<Work, 'context' | 'order'>,
  credit: OpenItem,
  charges: readonly C[],
  date: string,
): Promise<Booked & { readonly left: readonly C[] }> {
  const { currency } = order;
  const minor = ({ open }: OpenItem): bigint => parseAmount(open?.amount ?? '0', currency) ?? 0n;
  let rest = minor(credit);
  const parts = charges.map((charge) => {
    const part = minor(charge) < rest ? minor(charge) : rest;
    rest -= part;
    return { charge, part };
  });
  const left = parts.map(({ charge, part }) => ({ ...charge, open: money(minor(charge) - part, currency) }));
  const allocations = parts
    .filter(({ part }) => part > 0n)
    .map(({ charge, part }) => ({ itemId: charge.id, amount: money(part, currency).amount }));
  if (allocations.length === 0) return { entries: [], effects: [], left };
  const { allocations: _made, ...booked } = await allocateCredit(context, { creditId: credit.id, date, allocations });
  return { ...booked, left };
}

const credits: ReadonlySet<Kind> = new Set(['edit_credit', 'refund', 'cancellation']);

/** What the customer has open of the order: credit notes, and what came in. */
export async function openCredits({ context, all }: Pick<Work, 'context' | 'all'>): Promise<OpenItem[]> {
  const found: OpenItem[] = [];
  for (const { kind, state, documentId, paymentId } of all) {
    if (state !== 'posted') continue;
    if (credits.has(kind) && documentId !== null) found.push(await getDocument(context, { id: documentId }));
    if (kind === 'payment' && paymentId !== null) found.push(await getPayment(context, { id: paymentId }));
  }
  return found;
}
