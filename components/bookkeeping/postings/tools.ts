import { postingTraits } from '@steward/accounting';
import { counted, type Money } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import type { BookPorts } from '../ports.ts';
import { carryOutOrderPosting } from './carry-out-one.ts';
import { listOrderPostings } from './list.ts';
import { reconcileOrders } from '../reports/reconcile.ts';
import type { Posting } from './posting.ts';

const said: Readonly<Record<Posting['state'], string>> = {
  due: 'is due',
  waiting: 'waits',
  drafted: 'is a draft',
  posted: 'is in the books',
  left_out: 'is left out of the books',
};
const words = (kind: Posting['kind']): string => kind.replaceAll('_', ' ');
const called = ({ kind, state, reason }: Posting): string =>
  `The ${kind === 'cost' ? 'cost of goods' : `${words(kind)} of the order`} ${said[state]}${reason === null ? '' : ` (${reason})`}.`;

interface Entry {
  readonly narration: string;
  readonly lines: readonly { readonly debit: Money | null; readonly credit: Money | null }[];
}
/** What is posted, each with the sum of the side that has one line. */
const posts = (entries: readonly Entry[]): string =>
  entries
    .map(({ narration, lines }) => {
      const sides = [lines.flatMap(({ debit }) => debit ?? []), lines.flatMap(({ credit }) => credit ?? [])];
      const sum = sides.find(({ length }) => length === 1)?.[0];
      return sum === undefined ? narration : `${narration}, ${sum.amount} ${sum.currency}`;
    })
    .join('; ');

const sumsSaid = (
  sums: readonly {
    currency: string;
    placed: { amount: string };
    invoiced: { amount: string };
    notInvoiced: { amount: string };
  }[],
): string =>
  sums.length === 0
    ? 'No orders were placed.'
    : `${sums.map(({ currency, placed, invoiced, notInvoiced }) => `${currency}: ${placed.amount} placed, ${invoiced.amount} invoiced, ${notInvoiced.amount} not in the books`).join('; ')}.`;

export const postingTools: readonly Tool<BookPorts>[] = [
  toolOf(listOrderPostings, {
    core: false,
    title: 'List what orders owe the books',
    description:
      'Lists what orders, and goods that were moved, owe the books, and what became of it: `waiting` with a reason such as `period_closed` or ' +
      '`rate_missing`, which is tried again by itself; `drafted`, which people issue; `posted` with the ids of what was made. ' +
      '`cost` is what goods cost that left for an order, came back, were lost, or came in after they were sold; `allocation` is money ' +
      'that people recorded in the books for an order, which the order is told.',
    answers: { items: 'postings' },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'posting')} of orders, ${items.filter(({ state }) => state === 'waiting').length} waiting.` +
      (nextCursor === null ? '' : ' There are more.'),
  }),
  toolOf(reconcileOrders, {
    core: false,
    title: 'Reconcile orders with the books',
    description:
      'Compares the orders of some days with the books, by currency and order by order: placed against invoiced and drafted, captured ' +
      'against payments. `differences` names each order that differs, with the state and reason of its posting. `costs` compares ' +
      'what goods cost that moved on these days, and what stock is worth now with the account of inventory.',
    say: ({ currencies, differenceCount, costs }) =>
      `${sumsSaid(currencies)} ${counted(differenceCount, 'difference')}. Goods: ${costs.sold.amount} sold and ${costs.lost.amount} lost at ` +
      `cost, ${costs.posted.amount} posted, ${counted(costs.differenceCount, 'difference')}. Stock is worth ` +
      `${costs.stock.value.amount} ${costs.stock.value.currency}, and the account of inventory holds ${costs.stock.account === null ? 'nothing, as there is none' : costs.stock.balance.amount}.`,
  }),
  toolOf(carryOutOrderPosting, {
    rare: true,
    ...postingTraits,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Put what an order owes into the books',
    description:
      'Puts one posting of an order into the books now, whatever the posting profile says: issues the draft invoice, or tries ' +
      'what waits again. `date` posts on another day, such as where the month of the order is closed.',
    say: ({ posting, entries }, preview) =>
      preview
        ? `Would put the ${posting.kind === 'cost' ? 'cost of goods' : `${words(posting.kind)} of an order`} into the books: ${posts(entries)}.`
        : `${called(posting)} ${posts(entries)}`.trim(),
  }),
];
