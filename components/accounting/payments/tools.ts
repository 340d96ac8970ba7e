import type { Fixed } from '@steward/contract';
import { counted, money, parseAmount, type Money } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import { z } from 'zod';
import { allocateCredit, allocation } from '../allocations/make.ts';
import { undoAllocation } from '../allocations/undo.ts';
import { closing, posting, routine } from '../journal/traits.ts';
import { asking, farInWords } from '../money/far.ts';
import { amountText, dayText } from '../money/schema.ts';
import { revalue } from '../subledger/revalue.ts';
import { listPayments } from './list.ts';
import { payment } from './payment.ts';
import { paymentInput, recordPayment } from './record.ts';
import { voidPayment } from './void.ts';

/** As tools take them; the verbs call a document an item. */
export const allocations = z
  .array(
    z.strictObject({
      documentId: z
        .uuid()
        .meta({ description: 'Document to pay; for a refund, the credit or payment that is refunded.' }),
      amount: amountText,
    }),
  )
  .meta({ description: 'How much of it pays which document, in its currency.' });
export const items = (given: Fixed<z.infer<typeof allocations>>) =>
  given.map(({ documentId, amount }) => ({ itemId: documentId, amount }));

const openItems = (count: number): string => counted(count, 'open item');

const made = allocation.pick({ id: true, date: true, amount: true }).extend({ documentId: z.uuid() });

/** Allocations of one credit are in its currency. */
function allocated(made: readonly { readonly amount: Money }[]): Money | undefined {
  const [one] = made;
  if (one === undefined) return undefined;
  const { currency } = one.amount;
  const sum = made.reduce((total, { amount }) => total + (parseAmount(amount.amount, currency) ?? 0n), 0n);
  return money(sum, currency);
}

export const paymentTools: readonly Tool[] = [
  toolOf(recordPayment, {
    ...posting,
    core: true,
    annotations: { destructiveHint: false },
    title: 'Record a payment',
    description:
      'Records a payment received from a customer or made to a supplier, and allocates it to documents in the same ' +
      'currency. Moves no money at the bank. An amount that is not allocated stays open for service_allocate_payment.',
    asks: {
      schema: paymentInput.omit({ idempotencyKey: true }).extend({ allocations: allocations.max(100).default([]) }),
      of: ({ allocations: given, ...rest }) => ({ ...rest, allocations: items(given) }),
    },
    shows: { schema: z.object({ payment: payment.answer }), of: ({ payment: one }) => ({ payment: one }) },
    approval: {
      moneyOut: ({ direction }) => direction === 'made',
      amount: ({ amount, currency }) => ({ amount, currency }),
      payee: ({ direction, partyId }) => (direction === 'made' ? partyId : undefined),
    },
    warn: ({ payment: { date } }) => farInWords({ date }),
    say: ({ payment: { number, date, direction, amount, open, partyName } }, preview) => {
      const what = `${amount.amount} ${amount.currency} ${direction === 'made' ? 'to' : 'from'} ${partyName}`;
      const left = /[1-9]/.test(open.amount);
      return preview
        ? asking(
            `Would record a payment of ${what}, ${left ? `of which ${open.amount} would not be` : 'all of it'} allocated.`,
            farInWords({ date }),
          )
        : `Payment ${number} of ${what}, ${left ? `of which ${open.amount} is not` : 'all of it'} allocated.`;
    },
  }),
  toolOf(allocateCredit, {
    ...posting,
    core: false,
    annotations: { destructiveHint: false },
    title: 'Allocate a payment or credit',
    description:
      'Allocates the open amount of a payment, credit note or supplier credit to documents of the same party.',
    asks: {
      schema: allocateCredit.input.extend({
        date: dayText.meta({ description: 'Day of the allocation, YYYY-MM-DD.' }),
        allocations: allocations.min(1).max(100),
      }),
      of: ({ allocations: given, ...rest }) => ({ ...rest, allocations: items(given) }),
    },
    shows: {
      schema: z.object({ allocations: z.array(made) }),
      of: ({ allocations: all }) => ({
        allocations: all.map(({ id, chargeId, date, amount }) => ({ id, documentId: chargeId, date, amount })),
      }),
    },
    approval: {
      moneyOut: false,
      amount: (_args, outcome) => allocated((outcome.data as { allocations: { amount: Money }[] }).allocations),
    },
    say: ({ allocations: all }, preview) => {
      const sum = allocated(all);
      const what = `${sum?.amount} ${sum?.currency} to ${counted(all.length, 'document')}`;
      return `${preview ? 'Would allocate' : 'Allocated'} ${what}.`;
    },
  }),
  toolOf(undoAllocation, {
    core: false,
    annotations: { destructiveHint: false },
    approval: routine,
    title: 'Undo an allocation',
    description: 'Undoes an allocation: both sides are open again, and the exchange difference is reversed.',
    takes: { id: 'allocationId' },
    shows: {
      schema: z.object({ allocationId: z.uuid(), date: z.string() }),
      of: ({ id, date }) => ({ allocationId: id, date }),
    },
    preview: posting.preview,
    keepsPreview: true,
    say: ({ date, amount, credit, charge }, preview) => {
      const what = `he allocation of ${amount.amount} ${amount.currency} of ${credit} to ${charge}`;
      return preview ? `Would undo t${what} on ${date}.` : `T${what} is undone on ${date}.`;
    },
  }),
  toolOf(voidPayment, {
    ...posting,
    annotations: { destructiveHint: true },
    final: true,
    core: false,
    title: 'Void a payment',
    description:
      'Undoes a payment, such as one that bounced, by a reversing entry. Undo its allocations first with ' +
      'service_unallocate_payment.',
    takes: { id: 'paymentId' },
    shows: { schema: z.object({ payment: payment.answer }), of: ({ payment: one }) => ({ payment: one }) },
    say: ({ payment: { number, amount, partyName } }, preview) => {
      const what = `ayment ${number} of ${amount.amount} ${amount.currency}, ${partyName}`;
      return preview ? `Would void p${what}.` : `P${what}, is void.`;
    },
  }),
  toolOf(listPayments, {
    core: false,
    title: 'List payments',
    description:
      'Lists payments with their allocations, the latest number first. With `open`, only payments with an open amount.',
    answers: { items: 'payments' },
    say: ({ items: found, nextCursor }) =>
      `${counted(found.length, 'payment')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
  toolOf(revalue, {
    ...closing,
    core: false,
    annotations: { destructiveHint: false },
    title: 'Revalue open items in foreign currencies',
    description:
      'Revalues open documents and payments in foreign currencies at the rate of a day, such as the last day of a month. ' +
      'Posts an entry for the unrealised gain or loss, and its reversal on the next day.',
    shows: {
      schema: z.object({ day: z.string(), revaluationId: z.uuid().nullable(), items: z.int() }),
      of: ({ day, id, items: count }) => ({ day, revaluationId: id, items: count }),
    },
    preview: ({ day, currencies, ...done }) => ({ ...closing.preview(done), day, currencies }),
    say: ({ day, items: count, currencies }, preview) => {
      const by = currencies.map(({ currency, amount, difference }) => {
        const sum = `${difference.amount} ${difference.currency}`;
        return `${amount.amount} ${currency} by ${sum}`;
      });
      return preview
        ? `Would revalue ${openItems(count)} on ${day}: ${by.join(', ')}.`
        : `${openItems(count)} revalued on ${day}.`;
    },
  }),
];
