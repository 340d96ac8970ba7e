import { counted } from '@steward/kernel';
import { type Outcome, toolOf, type Tool, under } from '@steward/tools';
import { listRefunds } from './list.ts';
import { refundOrder } from './make.ts';
import { refund, type Refund } from './refund.ts';

/** What is given back to whom for what, and by whom. */
const forApproval = ({ id: _id, createdAt: _at, ...rest }: Refund) => rest;
const shownIn = ({ preview }: Outcome) => preview as ReturnType<typeof forApproval>;

const what = ({ total, orderNumber, name, email, lines, payments }: Refund): string => {
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const bySelf = payments.some(({ givenBackBy }) => givenBackBy === 'merchant');
  return (
    `${total.amount} ${total.currency} of order ${orderNumber} to ${name ?? email ?? 'its buyer'}` +
    `${units === 0 ? '' : ` for ${counted(units, 'unit')}`}${bySelf ? '; the business transfers it itself' : ''}`
  );
};

export const refundTools: readonly Tool[] = [
  toolOf(refundOrder, {
    core: false,
    annotations: { destructiveHint: true },
    final: true,
    title: 'Refund an order',
    description:
      'Gives money of an order back to its buyer: for units of lines with their tax, for shipping, for a received return, or an ' +
      'amount beside them. What was paid by invoice, transfer or cash is recorded as given back, and the business transfers ' +
      'it itself. It does not bring goods back into stock: see service_receive_return.',
    shows: under('refund', refund.answer),
    approval: {
      moneyOut: (_args, outcome) => shownIn(outcome).mode === 'live',
      amount: (_args, outcome) => shownIn(outcome).total,
      payee: (_args, outcome) => shownIn(outcome).contactId ?? undefined,
    },
    preview: forApproval,
    keepsPreview: true,
    say: (made, preview) => `${preview ? 'Would give back' : 'Gave back'} ${what(made)}.`,
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
