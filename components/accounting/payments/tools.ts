import { counted, money, parseAmount, type Money } from '@steward/kernel';
import { tool, toolOf, type Tool } from '@steward/tools';
import { z } from 'zod';
import { allocateCredit, allocation } from '../allocations/make.ts';
import { undoAllocation } from '../allocations/undo.ts';
import { posting } from '../journal/traits.ts';
import { amountText, dayText } from '../money/schema.ts';
import { decides } from '../operations.ts';
import { revalue } from '../subledger/revalue.ts';
import { listPayments } from './list.ts';
import { payment } from './payment.ts';
import { paymentInput, recordPayment } from './record.ts';
import { voidPayment } from './void.ts';

const posts = { ...decides, area: 'sales', annotations: { destructiveHint: false } } as const;

const allocations = z
  .array(
    z.strictObject({
      documentId: z
        .uuid()
        .meta({ description: 'Document to pay; for a refund, the credit or payment that is refunded.' }),
      amount: amountText,
    }),
  )
  .meta({ description: 'How much of it pays which document, in its currency.' });
const items = (given: z.infer<typeof allocations>) =>
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
  tool({
    ...posts,
    core: true,
    name: 'service_record_payment',
    title: 'Record a payment',
    description:
      'Records a payment received from a customer or made to a supplier, and allocates it to documents in the same ' +
      'currency. Moves no money at the bank. An amount that is not allocated stays open for service_allocate_payment.',
    input: paymentInput.omit({ idempotencyKey: true }).extend({ allocations: allocations.max(100).default([]) }),
    output: z.object({ payment: payment.answer }),
    approval: {
      moneyOut: ({ direction }) => direction === 'made',
      amount: ({ amount, currency }) => ({ amount, currency }),
      payee: ({ direction, partyId }) => (direction === 'made' ? partyId : undefined),
    },
    run: async (call, { allocations: given, ...rest }) => {
      const done = await recordPayment(call.context, { ...rest, allocations: items(given) });
      const { number, amount, open, partyName } = done.payment;
      const what = `${amount.amount} ${amount.currency} ${rest.direction === 'made' ? 'to' : 'from'} ${partyName}`;
      return {
        summary: call.preview
          ? `Would record a payment of ${what}, of which ${open.amount} would not be allocated.`
          : `Payment ${number} of ${what}, of which ${open.amount} is not allocated.`,
        data: { payment: done.payment },
        preview: posting.preview(done),
      };
    },
  }),
  tool({
    ...posts,
    core: false,
    name: 'service_allocate_payment',
    title: 'Allocate a payment or credit',
    description:
      'Allocates the open amount of a payment, credit note or supplier credit to documents of the same party.',
    input: z.strictObject({
      creditId: z.uuid().meta({ description: 'The payment, credit note or supplier credit.' }),
      date: dayText.meta({ description: 'Day of the allocation, YYYY-MM-DD.' }),
      allocations: allocations.min(1).max(100),
    }),
    output: z.object({ allocations: z.array(made) }),
    approval: {
      moneyOut: false,
      amount: (_args, outcome) => allocated((outcome.data as { allocations: { amount: Money }[] }).allocations),
    },
    run: async (call, { creditId, date, allocations: given }) => {
      const done = await allocateCredit(call.context, { creditId, date, allocations: items(given) });
      const sum = allocated(done.allocations);
      const what = `${sum?.amount} ${sum?.currency} to ${counted(done.allocations.length, 'document')}`;
      return {
        summary: `${call.preview ? 'Would allocate' : 'Allocated'} ${what}.`,
        data: {
          allocations: done.allocations.map(({ id, chargeId, date: on, amount }) => ({
            id,
            documentId: chargeId,
            date: on,
            amount,
          })),
        },
        preview: posting.preview(done),
      };
    },
  }),
  toolOf(undoAllocation, {
    core: false,
    annotations: { destructiveHint: false },
    title: 'Undo an allocation',
    description: 'Undoes an allocation: both sides are open again, and the exchange difference is reversed.',
    takes: { id: 'allocationId' },
    shows: {
      schema: z.object({ allocationId: z.uuid(), date: z.string() }),
      of: ({ id, date }) => ({ allocationId: id, date }),
    },
    preview: posting.preview,
    keepsPreview: true,
    say: ({ date }, preview) =>
      preview ? `Would undo an allocation on ${date}.` : `The allocation is undone on ${date}.`,
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
    ...posting,
    core: false,
    annotations: posts.annotations,
    title: 'Revalue open items in foreign currencies',
    description:
      'Revalues open documents and payments in foreign currencies at the rate of a day, such as the last day of a month. ' +
      'Posts an entry for the unrealised gain or loss, and its reversal on the next day.',
    shows: {
      schema: z.object({ day: z.string(), revaluationId: z.uuid().nullable(), items: z.int() }),
      of: ({ day, id, items: count }) => ({ day, revaluationId: id, items: count }),
    },
    say: ({ day, items: count }, preview) =>
      preview ? `Would revalue ${openItems(count)} on ${day}.` : `${openItems(count)} revalued on ${day}.`,
  }),
];
