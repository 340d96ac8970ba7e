import { counted, type Money, money, parseAmount } from '@steward/kernel';
import { type Outcome, toolOf, type Tool, under } from '@steward/tools';
import { listRefunds } from './list.ts';
import { refundOrder } from './make.ts';
import { refund, type Refund } from './refund.ts';

/** What is given back to whom for what, and by whom. */
const forApproval = ({ id: _id, createdAt: _at, ...rest }: Refund) => rest;
const shownIn = ({ preview }: Outcome) => preview as ReturnType<typeof forApproval>;

const minor = ({ amount, currency }: Money): bigint => parseAmount(amount, currency) ?? 0n;

function said({ total, credited, orderNumber, name, email, lines, payments }: Refund, preview: boolean): string {
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const buyer = name ?? email ?? 'its buyer';
  const of = units === 0 ? '' : ` for ${counted(units, 'unit')}`;
  const bySelf = payments.some(({ givenBackBy }) => givenBackBy === 'merchant');
  const lowers = `${preview ? 'Would lower' : 'Lowered'} what ${buyer} has still to pay of order ${orderNumber}${of} by ${credited.amount} ${credited.currency}.`;
  const gives =
    `${preview ? 'Would give back' : 'Gave back'} ${total.amount} ${total.currency} of order ${orderNumber} to ${buyer}${of}` +
    `${bySelf ? '; the business transfers it itself' : ''}.`;
  return [...(minor(credited) > 0n ? [lowers] : []), ...(minor(total) > 0n ? [gives] : [])].join(' ');
}

export const refundTools: readonly Tool[] = [
  toolOf(refundOrder, {
    core: false,
    annotations: { destructiveHint: true },
    final: true,
    title: 'Refund an order',
    description:
      'Takes back what was charged for an order: for units of lines with their tax, for shipping, for a received return, or an ' +
      'amount beside them. It lowers what is still to be paid first, and gives the rest back as money. What was paid by invoice, transfer or cash is recorded as given back, and the business transfers ' +
      'it itself. It does not bring goods back into stock: see service_receive_return.',
    shows: under('refund', refund.answer),
    approval: {
      moneyOut: (_args, outcome) => shownIn(outcome).mode === 'live',
      amount: (_args, outcome) => {
        const { total, credited } = shownIn(outcome);
        return money(minor(total) + minor(credited), total.currency);
      },
      payee: (_args, outcome) => shownIn(outcome).contactId ?? undefined,
    },
    preview: forApproval,
    keepsPreview: true,
    say: said,
  }),
  toolOf(listRefunds, {
    core: false,
    title: 'List refunds',
    description: 'Lists refunds with their lines, shipping and the payments that gave back, newest first.',
    answers: { items: 'refunds' },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'refund')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
];
