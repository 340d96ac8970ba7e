import { createDocument, type Document, documentWords, type Percentage, withTax } from '@steward/accounting';
import { money } from '@steward/kernel';
import type { Order } from '@steward/orders';
import { accountOf } from './account.ts';
import { bookkeepingFail } from '../errors.ts';
import { saleOf } from './invoice.ts';
import { issue } from './issue.ts';
import type { Work } from './work.ts';

type Lines = Parameters<typeof createDocument>[1]['lines'];

interface Amounts {
  readonly net: bigint;
  readonly tax: bigint;
}

/** What is taken back of an order. Minor units. */
export interface Back {
  readonly lines: readonly (Amounts & {
    readonly lineId: string;
    readonly title: string;
    readonly quantity: number;
    /** What it was taxed by; default: as the order says now. */
    readonly of?: Taxed;
  })[];
  readonly shipping: Amounts & { readonly of?: Taxed };
  /** Beside them, without tax; below zero: what was taken back so before. */
  readonly adjustment: bigint;
}

export const totalOf = ({ lines, shipping, adjustment }: Back): bigint =>
  [...lines, shipping].reduce((sum, { net, tax }) => sum + net + tax, adjustment);

/**
 * Credits the invoice of an order with what is taken back of it, and issues that.
 * @throws Problem `posting_differs` (409), and whatever the books refuse
 */
export async function creditNote(work: Work, invoice: Document, back: Back, date: string) {
  const { context, order } = work;
  const { currency } = order;
  const draft = await createDocument(
    context,
    {
      kind: 'credit_note',
      partyId: invoice.partyId,
      issueDate: date,
      currency,
      pricing: 'inclusive',
      reference: order.number,
      credits: invoice.id,
      lines: linesOf(work, back),
    },
    saleOf(order, work.language),
  );
  const due = money(totalOf(back), currency).amount;
  if (draft.total.amount !== due)
    throw bookkeepingFail(
      'posting_differs',
      `The total of the credit note would be ${draft.total.amount}, and ${due} ${currency} are taken back.`,
    );
  return issue(work, draft.id);
}

/** Each at what is taken back for it, tax included, whether the order's prices were with tax or not: so the total is that of what is taken back. */
function linesOf({ order, profile, language }: Work, { lines, shipping, adjustment }: Back): Lines {
  const words = documentWords[language];
  const sales = accountOf(profile, 'salesAccount');
  const priced = (description: string, account: string, back: Amounts, of: Taxed | null): Lines => {
    const taxId = of?.treatment === 'taxed' ? of.taxId : null;
    const percentage = taxId === null ? 0n : percentageOf(of?.taxPercentage ?? '0');
    return splitFor(back.net + back.tax, back.tax, percentage).map((total) => ({
      description,
      quantity: '1',
      unitPrice: money(total, order.currency).amount,
      account,
      ...(taxId === null ? {} : { taxId }),
    }));
  };
  return [
    ...lines.flatMap(({ lineId, title, quantity, of, ...back }) => {
      const line = order.lines.find(({ id }) => id === lineId);
      const what = [title, ...Object.values(line?.options ?? {})].join(', ').slice(0, 900);
      return priced(quantity === 1 ? what : `${quantity} × ${what}`, sales, back, of ?? line ?? null);
    }),
    ...(shipping.net + shipping.tax === 0n
      ? []
      : priced(words.shipping, accountOf(profile, 'shippingAccount'), shipping, shipping.of ?? order.shipping)),
    ...(adjustment === 0n ? [] : priced(words.adjustment, sales, { net: adjustment, tax: 0n }, null)),
  ];
}

export type Taxed = Pick<Order['lines'][number], 'taxId' | 'treatment' | 'taxPercentage'>;

/** How far two parts are looked for. */
const tries = 500n;

/**
 * A price with so much tax in it: where rounding makes another tax of it, since shares of a line are differences of rounded ones, two prices that
 * together have it.
 */
function splitFor(total: bigint, tax: bigint, percentage: Percentage): readonly bigint[] {
  const within = (price: bigint): bigint => withTax(price, percentage, 'inclusive').tax;
  if (within(total) === tax) return [total];
  for (let part = 1n; part < total && part <= tries; part += 1n)
    if (within(part) + within(total - part) === tax) return [part, total - part];
  return [total];
}

const percentageOf = (text: string): Percentage => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0'));
};
